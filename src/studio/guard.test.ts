import { createHash } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { studio } from "./studio.js";

const token = "0123456789abcdef-token";

async function attacked({ withToken = false } = {}) {
  const folder = await temporaryDirectory();
  const root = join(folder, "runs");
  const run = await generatedRun(join(root, "generated"), { images: 4 });
  await writeFile(join(folder, "secret.txt"), "the secret");
  const faults: unknown[] = [];
  const app = studio({
    root,
    token: withToken ? token : undefined,
    onFault: (error) => faults.push(error),
  });
  const send = async (path: string, options: RequestInit = {}, host = "http://127.0.0.1:8000") => {
    const answer = await app.fetch(new Request(`${host}${path}`, options));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { folder, root, run, send, faults };
}

/** Puts bytes under their own name, as a run's writer would. */
async function blobOf(root: string, bytes: string | Uint8Array, extension: string) {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const directory = join(root, "generated", "blobs", hash.slice(0, 2));
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${hash}.${extension}`), bytes);
  return hash;
}

const climbing = [
  "/api/runs/..%2F..%2Fsecret.txt",
  "/api/runs/%2e%2e/items",
  "/api/runs/..~..",
  "/api/runs/~etc",
  "/api/runs/generated/images/..%2F..%2F..%2Fsecret.txt",
  "/api/runs/generated/images/....//....//secret.txt",
  "/api/runs/generated/images/%00",
  "/api/runs/generated%00/items",
  `/api/runs/generated/images/${"0".repeat(64)}%2F..%2F..%2Fsecret.txt`,
  `/api/runs/generated/images/${"0".repeat(64)}`,
  "/api/runs/..%2F..%2Fsecret.txt/audit",
  "/api/runs/generated%2F..%2F..%2Fsecret.txt/audit/sets",
  "/api/cards?from=file:..%2F..%2Fsecret.txt",
  "/api/cards?from=run:..",
  "/api/cards?from=%00",
  "/api/studies/..%2Fsecret.txt",
  "/api/studies/..~secret.txt",
  "/api/studies/generated~run.json",
  "/assets/..%2F..%2F..%2Fpackage.json",
  "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
  "/assets/..\\..\\package.json",
  "/assets/nothing.js",
];

test.each(climbing)("no path leads out of the folder: %s", async (path) => {
  const { send, faults } = await attacked();
  const { status, text } = await send(path);
  expect(text).not.toMatch(/the secret|touchstone-t2i/);
  if (path.startsWith("/api/")) expect(status).toBe(404);
  expect(faults).toEqual([]);
});

test.each(["http://evil.example", "http://127.0.0.1.evil.example", "http://0.0.0.0:8000"])(
  "a name of somebody else's is no host of ours: %s",
  async (host) => {
    const { send } = await attacked();
    expect((await send("/api/runs", {}, host)).status).toBe(403);
    expect((await send("/", {}, host)).status).toBe(403);
  },
);

const foreign: readonly Record<string, string>[] = [
  { origin: "http://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1:9000" },
  { origin: "https://127.0.0.1:8000" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
  { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
];

test.each(foreign)("pages of other sites get nothing: %o", async (headers) => {
  const { send } = await attacked();
  const { status, headers: answered } = await send("/api/runs", { headers });
  expect(status).toBe(403);
  expect(answered.get("access-control-allow-origin")).toBeNull();
});

test("a link from another site opens the page", async () => {
  const { send } = await attacked();
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  expect((await send("/runs/generated", { headers })).status).not.toBe(403);
});

test.each(["POST", "PUT", "DELETE", "PATCH"])("a form or script can't %s", async (method) => {
  const { send } = await attacked();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const path of [
    "/api/runs",
    "/api/runs/generated/items",
    "/api/runs/generated/audit",
    "/api/cards",
    "/api/studies/study.json/invitations",
    "/",
  ]) {
    expect((await send(path, { method, headers, body: "a=b" })).status).toBe(403);
  }
});

test("a body without end is not read to its end", async () => {
  const { send } = await attacked();
  const headers = { "x-touchstone": "1" };
  const body = "x".repeat(2 * 1024 * 1024);
  expect((await send("/api/runs", { method: "POST", headers, body })).status).toBe(413);
});

test.each([
  `text=${"a".repeat(100_000)}`,
  `limit=${"9".repeat(400)}`,
  "min=1e999999999",
  "text=%F0%9F",
  `item=${"a".repeat(100_000)}`,
  `from=${"a".repeat(100_000)}`,
])("a huge or broken query does no harm: %.30s", async (query) => {
  const { send, faults } = await attacked();
  const { status } = await send(`/api/runs/generated/items?${query}`);
  expect([200, 400]).toContain(status);
  for (const path of ["/api/runs/generated/audit/sets", "/api/cards"]) {
    expect([200, 400, 404]).toContain((await send(`${path}?${query}`)).status);
  }
  expect(faults).toEqual([]);
});

test("an SVG is never handed out", async () => {
  const { root, send } = await attacked();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const hash = await blobOf(root, svg, "svg");
  for (const query of ["", "?width=128"]) {
    const { status, text } = await send(`/api/runs/generated/images/${hash}${query}`);
    expect(status).toBe(415);
    expect(text).not.toContain("<script>");
  }
});

test("what is no image is not handed out, whatever its name ends with", async () => {
  const { root, send } = await attacked();
  const hash = await blobOf(root, "<script>alert(1)</script>", "png");
  const { status, text } = await send(`/api/runs/generated/images/${hash}`);
  expect(status).toBe(415);
  expect(text).not.toContain("<script>");
});

test("a link out of the folder is not followed, nor a run's reference to a file elsewhere", async () => {
  const { folder, root, run, send } = await attacked();
  const image = run.images.find(({ status }) => status === "done");
  const bytes = await blobOf(root, Uint8Array.of(1), "bin");
  const outside = join(folder, "outside");
  await generatedRun(outside, { images: 4 });
  await symlink(outside, join(root, "linked"));
  expect((await send("/api/runs")).text).not.toContain("linked");
  expect((await send("/api/runs/linked/items")).status).toBe(404);
  const hash = bytes.replace(/^./, (first) => (first === "0" ? "1" : "0"));
  const directory = join(root, "generated", "blobs", hash.slice(0, 2));
  await mkdir(directory, { recursive: true });
  await symlink(join(folder, "secret.txt"), join(directory, `${hash}.png`));
  expect((await send(`/api/runs/generated/images/${hash}`)).status).toBe(403);
  const other = hash.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await writeFile(join(directory, `${other}.path`), `${join(folder, "secret.txt")}\n`);
  expect((await send(`/api/runs/generated/images/${other}`)).status).toBe(403);
  expect(image).toBeDefined();
});

test("with a token nothing is answered without it, and its link lets in", async () => {
  const { send } = await attacked({ withToken: true });
  const lan = "http://192.168.1.7:8000";
  for (const path of [
    "/",
    "/api/runs",
    `/api/runs?token=${token}x`,
    "/api/runs?token=",
    "/api/runs/generated/audit",
    "/api/cards",
    "/api/studies/study.json",
  ]) {
    expect((await send(path, {}, lan)).status).toBe(401);
  }
  const wrong = { authorization: "Bearer wrong" };
  expect((await send("/api/runs", { headers: wrong }, lan)).status).toBe(401);
  const right = { authorization: `Bearer ${token}` };
  expect((await send("/api/runs", { headers: right }, lan)).status).toBe(200);
  const link = await send(`/runs/a?token=${token}&b=1`, {}, lan);
  expect(link.status).toBe(303);
  expect(link.headers.get("location")).toBe("/runs/a?b=1");
  const cookie = link.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  const headers = { cookie: cookie.split(";")[0] ?? "" };
  expect((await send("/api/runs", { headers }, lan)).status).toBe(200);
  const post = { method: "POST", headers };
  expect((await send("/api/runs", post, lan)).status).toBe(403);
});

test("every answer forbids scripts of others, framing and guessing of types", async () => {
  const { run, send } = await attacked();
  const image = run.images.find((one) => one.status === "done");
  const hash = image?.status === "done" ? image.image : "";
  for (const path of ["/", "/api/runs", "/api/none", `/api/runs/generated/images/${hash}`]) {
    const { headers } = await send(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(
      /default-src 'none'; script-src 'self';/,
    );
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe/);
    expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
  }
});

/** A queue whose lines name whatever images they like. */
async function attackedQueue(images: readonly string[]) {
  const attack = await attacked();
  const lines = images.map((image, at) =>
    JSON.stringify({
      id: String(at),
      image,
      question: "<script>alert(1)</script>",
      answer: null,
      why: "not sure enough",
      asked: 1,
      unscored: 0,
      judge: "../secret.txt",
    }),
  );
  const path = join(attack.root, "review.jsonl");
  await writeFile(path, lines.join("\n"));
  const queue = "/api/reviews/review.jsonl";
  const { items } = JSON.parse((await attack.send(`${queue}/next?window=1&limit=20`)).text);
  const keys = (items as readonly { readonly key: string }[]).map(({ key }) => key);
  const answer = (headers: Record<string, string>, body: unknown = {}) =>
    attack.send(`${queue}/answers`, { method: "POST", headers, body: JSON.stringify(body) });
  return { ...attack, path, queue, keys, answer };
}

test("a queue shows no file outside the folder, and none that is no image", async () => {
  const names = ["../secret.txt", "/etc/hostname", "linked.png", "page.png", "drawn.svg", ""];
  const { folder, root, queue, keys, send } = await attackedQueue(names);
  await symlink(join(folder, "secret.txt"), join(root, "linked.png"));
  await writeFile(join(root, "page.png"), "<script>alert(1)</script>");
  await writeFile(join(root, "drawn.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const statuses: number[] = [];
  for (const key of keys) {
    const { status, text } = await send(`${queue}/items/${key}/images/0`);
    expect(text).not.toMatch(/the secret|<script>/);
    statuses.push(status);
  }
  expect(statuses).toEqual([403, 403, 403, 415, 415, 404]);
  for (const at of ["1", "-1", "..%2F0", "99999999999"]) {
    expect((await send(`${queue}/items/${keys[0]}/images/${at}`)).status).toBe(404);
  }
  expect((await send(`${queue}/command`)).text).toBe('{"command":null}');
});

test("only the studio's page answers a queue, and only in the words of its task", async () => {
  const { path, keys, answer, send, faults } = await attackedQueue(["1.png"]);
  const before = await readFile(path, "utf8");
  const [item] = keys;
  const given = { item, answer: "yes", was: null };
  expect((await answer({}, given)).status).toBe(403);
  expect((await answer({ "x-touchstone": "1", origin: "http://evil.example" }, given)).status).toBe(
    403,
  );
  const own = { "x-touchstone": "1" };
  const bad = [
    ...[undefined, null, [], "yes", { ...given, answer: "<script>" }, { ...given, answer: {} }],
    ...[
      { ...given, more: 1 },
      { ...given, item: "../../secret.txt" },
      { item, answer: "yes" },
    ],
  ];
  for (const body of bad) expect([400, 404]).toContain((await answer(own, body)).status);
  expect((await send("/api/reviews/..%2Fsecret.txt")).status).toBe(404);
  expect((await send("/api/reviews/generated~run.json")).status).toBe(404);
  expect(await readFile(path, "utf8")).toBe(before);
  expect((await answer(own, given)).status).toBe(200);
  expect(faults).toEqual([]);
});

test("a file that says it is a card or a study shows nothing but cards and studies", async () => {
  const { folder, root, send, faults } = await attacked();
  await writeFile(join(root, "card.json"), '{"cards": [{"subject": {"name": "<script>"}}]}');
  await mkdir(join(root, "study"));
  const frozen = { study: 1, id: "a", blocks: [{ file: "../../secret.txt" }] };
  await writeFile(join(root, "study", "study.json"), JSON.stringify(frozen));
  await symlink(folder, join(root, "linked"));
  for (const path of ["/api/cards?from=file:card.json", "/api/studies/study~study.json"]) {
    const { status, text, headers } = await send(path);
    expect([200, 409]).toContain(status);
    expect(text).not.toContain("the secret");
    expect(headers.get("content-type")).toContain("application/json");
  }
  expect((await send("/api/studies/linked~runs~study~study.json")).status).toBe(404);
  expect(faults).toEqual([]);
});
