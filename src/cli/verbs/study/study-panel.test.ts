import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { platforms } from "../../../studies/config/platforms.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { ProlificClient } from "../../../studies/panel/prolific-client.js";
import { Settled } from "../../../studies/panel/settled.js";
import { studyApp } from "../../../studies/server/study-app.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { runCommandLine } from "../../main.js";

interface Call {
  readonly path: string;
  readonly token: string | undefined;
  readonly body: Record<string, unknown>;
}

/** Answers as Prolific's API reference says, and keeps what it was asked. */
async function prolific(
  status = 201,
  description = "",
): Promise<{ readonly url: string; readonly calls: readonly Call[] }> {
  const calls: Call[] = [];
  const bodyOf = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString());
  };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    calls.push({ path: request.url ?? "", token: request.headers.authorization, body });
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify(
        status === 201
          ? { description, id: "study-1", status: "UNPUBLISHED" }
          : { error: { detail: "no" } },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function study(panel: string) {
  const workingDirectory = await temporaryDirectory();
  const data = new Uint8Array(8 * 8 * 3).fill(90);
  await writeFile(join(workingDirectory, "a.png"), encodePng({ width: 8, height: 8, data }));
  await writeFile(join(workingDirectory, "items.csv"), "id,image,text\none,a.png,A cat\n");
  await writeFile(
    join(workingDirectory, "study.yaml"),
    `title: Cats\nopen: true\nconsent: Yes.\npayPerHour: 12\npanel: ${panel}\nblocks:\n  - {protocol: rating, from: items.csv}\n`,
  );
  const run = async (words: readonly string[], variables: Record<string, string> = {}) => {
    const environment = { ...fakeEnvironment({ workingDirectory }), variables };
    const code = await runCommandLine(words, environment);
    return { code, ...environment.written };
  };
  expect(await run(["study", "create", "study.yaml", "--run", "study"])).toMatchObject({ code: 0 });
  return { run, workingDirectory };
}

const address = ["--public-url", "https://study.example.org"];
const prolificPanel = "{platform: prolific, minutes: 10, places: 5}";

test("--dry-run prints the body of Prolific's study; without it a draft is made, once, with the key", async () => {
  const { run } = await study(prolificPanel);
  const { url, calls } = await prolific();
  const dry = await run(["study", "panel", "study", "--dry-run", "--json", ...address]);
  expect(dry.code).toBe(0);
  const body = JSON.parse(dry.stdout);
  expect(body).toMatchObject({ name: "Cats", reward: 200, total_available_places: 5 });
  const words = ["study", "panel", "study", "--base-url", url, "--json", ...address];
  expect(await run(words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("PROLIFIC_TOKEN"),
  });
  expect(calls).toEqual([]);
  const made = await run(words, { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(made.stdout)).toEqual({ id: "study-1", status: "draft" });
  expect(calls).toEqual([{ path: "/api/v1/studies/", token: "Token key", body }]);
});

test("a refusal is said with its status, and the key is not", async () => {
  const { run } = await study(prolificPanel);
  const { url, calls } = await prolific(400);
  const words = ["study", "panel", "study", "--base-url", url, ...address];
  const { code, stderr } = await run(words, { PROLIFIC_TOKEN: "secret-key" });
  expect({ code, calls: calls.length }).toEqual({ code: 2, calls: 1 });
  expect(stderr).toContain("400");
  expect(stderr).not.toContain("secret-key");
});

test("who finished is approved over the API after --yes, and listed without an answer", async () => {
  const { run, workingDirectory } = await study(prolificPanel);
  const { url, calls } = await prolific();
  const home = await openStudyFolder(join(workingDirectory, "study"));
  let now = 1_000_000;
  const service = await StudyService.open(home, { clock: () => (now += 30 * 60_000) });
  const { session } = await service.join({
    external: { source: "prolific", id: "pid-1", study: "study-1", session: "visit-1" },
  });
  await service.consent(session, { version: home.study.consent.version, agreed: true });
  const next = await service.next(session);
  await service.answer(session, { assignment: next?.assignment, answer: { value: 3 } });
  const end = await service.finish(session);
  expect(end.redirect).toMatch(
    /^https:\/\/app\.prolific\.com\/submissions\/complete\?cc=[0-9A-F]{8}$/,
  );

  const status = await run(["study", "status", "study", "--json"]);
  expect(JSON.parse(status.stdout).pay).toMatchObject({ reward: 2, currency: "GBP", least: 6 });
  expect((await run(["study", "status", "study"])).stderr).toContain("below the panel's least");
  const words = [
    "study",
    "panel",
    "study",
    "--settle",
    "--lists",
    "pay",
    "--base-url",
    url,
    "--json",
  ];
  expect(await run(words, { PROLIFIC_TOKEN: "key" })).toMatchObject({ code: 2 });
  const dry = await run([...words, "--yes", "--dry-run"], { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(dry.stdout)).toMatchObject({ approve: 1, settled: false });
  expect(calls).toEqual([]);
  const done = await run([...words, "--yes"], { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(done.stdout)).toMatchObject({ approve: 1, reject: 0, bonus: 1, settled: true });
  expect(calls.map(({ path, body }) => [path, body.study_id])).toEqual([
    ["/api/v1/submissions/bulk-approve/", "study-1"],
    ["/api/v1/submissions/bonus-payments/", "study-1"],
  ]);
  expect(calls[0]?.body.participant_ids).toEqual(["pid-1"]);
  const list = await readFile(join(workingDirectory, "pay/approve.csv"), "utf8");
  expect(list).toBe("id,study,session\npid-1,study-1,visit-1\n");

  const again = await run([...words, "--yes"], { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(again.stdout)).toMatchObject({ approve: 0, bonus: 0 });
  expect(calls.length).toBe(2);

  // Nor from a copy, unless that was settled by itself.
  const copy = () => run(["study", "copy", "study", "copy"]);
  expect(await copy()).toMatchObject({ code: 0 });
  const fromCopy = words.map((word) => (word === "study" ? "copy" : word)).with(0, "study");
  const copied = await run([...fromCopy, "--yes"], { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(copied.stdout)).toMatchObject({ approve: 0, bonus: 0 });
  expect(calls.length).toBe(2);
  const call = '{"list":"reject","state":"done","of":["study-1/visit-9"]}\n';
  await appendFile(join(workingDirectory, "copy/settled.jsonl"), call);
  const refused = { code: 2, stderr: expect.stringContaining("other calls") };
  expect(await copy()).toMatchObject(refused);

  // Nor where nothing was settled from the study itself.
  const notes = join(workingDirectory, "study/settled.jsonl");
  const kept = await readFile(notes, "utf8");
  await rm(notes);
  expect(await copy()).toMatchObject(refused);

  // Killed while Prolific was asked: nobody knows whether it was paid.
  const lines = kept.trimEnd().split("\n");
  await writeFile(notes, `${lines.slice(0, -1).join("\n")}\n`);
  const unknown = await run([...words, "--yes"], { PROLIFIC_TOKEN: "key" });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("settled.jsonl") });
  expect(calls.length).toBe(2);
});

test("a rejection names the rule, in 100 characters or more, and one of Prolific's categories", async () => {
  const { url, calls } = await prolific();
  const client = new ProlificClient({ baseUrl: url, token: "key" });
  const rules = ["median-seconds-below", "same-answer-above gold-check", "repeat-agreement-below"];
  const reject = rules.map((reason, at) => ({ id: "p", study: "s", session: `${at}`, reason }));
  const settled = new Settled(await temporaryDirectory());
  await client.settle({ approve: [], reject, bonus: [] }, settled);
  const categories = ["TOO_QUICKLY", "FAILED_CHECK", "LOW_EFFORT"];
  expect(calls).toEqual(
    rules.map((rule, at) => ({
      path: `/api/v1/submissions/${at}/transition/`,
      token: "Token key",
      body: {
        action: "REJECT",
        rejection_category: categories[at],
        message: expect.stringMatching(new RegExp(`^(?=.{100,}$).*${rule}`)),
      },
    })),
  );
});

test("a study that is made is known by a long reply, too", async () => {
  const { run } = await study(prolificPanel);
  const { url } = await prolific(201, "x".repeat(2000));
  const words = ["study", "panel", "study", "--base-url", url, "--json", ...address];
  const made = await run(words, { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(made.stdout)).toMatchObject({ id: "study-1" });
});

test("of MTurk the question is printed, of others the address", async () => {
  const { run } = await study("mturk");
  const { stdout } = await run(["study", "panel", "study", ...address]);
  expect(stdout).toContain("<ExternalURL>https://study.example.org</ExternalURL>");
  const other = await study("{platform: generic, id: who, parameters: {session: visit}}");
  const found = await other.run(["study", "panel", "study", "--json", ...address]);
  expect(JSON.parse(found.stdout).question).toBe(
    "https://study.example.org/?who={who}&visit={visit}",
  );
});

/** What the participants' interface answers, as far as somebody who takes part needs it. */
const replySchema = z.object({
  session: z.string().optional(),
  study: z.object({ consent: z.object({ version: z.string() }) }).optional(),
  assignment: z.string().optional(),
  redirect: z.string().optional(),
});
type Reply = z.infer<typeof replySchema>;

test("from a draft at Prolific to approved places, over a served study", async () => {
  const { run, workingDirectory } = await study(
    "{platform: prolific, minutes: 10, places: 3, url: 'https://study.example.org'}",
  );
  const { url, calls } = await prolific();
  const words = ["study", "panel", "study", "--base-url", url, "--json"];
  expect(await run(words, { PROLIFIC_TOKEN: "key" })).toMatchObject({ code: 0 });
  const [draft] = calls;
  const codes = draft?.body.completion_codes as {
    code: string;
    code_type: string;
    actions: { action: string }[];
  }[];
  const home = await openStudyFolder(join(workingDirectory, "study"));
  const app = studyApp(await StudyService.open(home), { whoAsks: () => "here" });
  const platform = platforms.find(({ source }) => source === "prolific");

  /** Somebody whom Prolific sends; what becomes of their place there. */
  async function comes(pid: string, does: "finishes" | "declines" | "leaves"): Promise<string> {
    const filled = String(draft?.body.external_study_url)
      .replace("{{%PROLIFIC_PID%}}", pid)
      .replace("{{%STUDY_ID%}}", "study-1")
      .replace("{{%SESSION_ID%}}", `visit-${pid}`);
    const { searchParams } = new URL(filled);
    const [id, study, session] = [platform?.id, platform?.study, platform?.session].map((name) =>
      searchParams.get(name ?? ""),
    );
    let bearer = "";
    const call = async (path: string, body?: object): Promise<Reply> => {
      const response = await app.request(`http://study/api/${path}`, {
        headers: {
          ...(bearer !== "" && { Authorization: `Bearer ${bearer}` }),
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      expect(response.ok, path).toBe(true);
      return replySchema.parse(await response.json());
    };
    const joined = await call("participants", {
      external: { source: "prolific", id, study, session },
    });
    bearer = joined.session ?? "";
    const version = joined.study?.consent.version;
    const agreed = await call("consent", { version, agreed: does !== "declines" });
    if (does === "leaves") return "RETURNED";
    let end = agreed;
    if (does === "finishes") {
      const { assignment } = await call("next");
      await call("answers", { assignment, answer: { value: 3 }, milliseconds: 1500 });
      end = await call("finish");
    }
    const code = new URL(end.redirect ?? "").searchParams.get("cc");
    const known = codes.find((one) => one.code === code);
    return `${known?.code_type} ${known?.actions[0]?.action}`;
  }
  expect(await comes("a", "finishes")).toBe("COMPLETED MANUALLY_REVIEW");
  expect(await comes("b", "declines")).toBe("NO_CONSENT REQUEST_RETURN");
  expect(await comes("c", "leaves")).toBe("RETURNED");
  expect(await comes("d", "finishes")).toBe("COMPLETED MANUALLY_REVIEW");
  const settle = [...words, "--settle"];
  const look = await run([...settle, "--dry-run"]);
  expect(JSON.parse(look.stdout)).toMatchObject({ approve: 2, reject: 0, settled: false });
  const done = await run([...settle, "--yes"], { PROLIFIC_TOKEN: "key" });
  expect(JSON.parse(done.stdout)).toMatchObject({ approve: 2, settled: true });
  expect(calls.slice(1).map(({ path, body }) => [path, body])).toEqual([
    ["/api/v1/submissions/bulk-approve/", { study_id: "study-1", participant_ids: ["a", "d"] }],
  ]);
  // Answers stay apart from whom Prolific names.
  const out = ["--table", "agreement", "--out", "ratings.csv"];
  expect(await run(["study", "export", "study", ...out])).toMatchObject({ code: 0 });
  const ratings = await readFile(join(workingDirectory, "ratings.csv"), "utf8");
  expect(ratings.trimEnd().split("\n")).toHaveLength(3);
  expect(ratings).not.toContain("visit-");
});
