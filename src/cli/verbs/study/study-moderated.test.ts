import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { runCommandLine } from "../../main.js";
import { exitCodes } from "../../report-error.js";

let folder: string;

const config = `
title: What do you expect to see?
open: true
moderated: true
consent: I agree to take part.
codebook: codes.yaml
blocks:
  - {protocol: mental-image, from: mental.csv, ratingsPerItem: 1}
  - {protocol: rating, from: items.csv, ratingsPerItem: 1}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-moderated-"));
  await mkdir(join(folder, "images"));
  for (let image = 0; image < 2; image++) {
    const data = new Uint8Array(8 * 8 * 3).fill(60 * image);
    const file = join(folder, "images", `${image}.png`);
    await writeFile(file, encodePng({ width: 8, height: 8, data }));
  }
  const files = {
    "mental.csv":
      "query,model,image\na nurse,secret-x,images/0.png\na nurse,secret-y,images/1.png\n",
    "items.csv": "id,image,text,model\none,images/0.png,A dog,secret-x\n",
    "codes.yaml": "codes:\n  - {code: white coat, description: worn}\n  - {code: sameness}\n",
    "study.yaml": config,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...words: string[]) {
  return touchstoneHere(words, { workingDirectory: folder });
}

/** A study that is served over a real socket; each look at the clock is a second later. */
async function served(name: string, text = config) {
  await writeFile(join(folder, `${name}.yaml`), text);
  expect((await run("study", "create", `${name}.yaml`, "--run", name)).stderr).toBe("");
  const environment = fakeEnvironment({ workingDirectory: folder });
  let now = Date.parse("2026-11-23T10:00:00Z");
  let ended: Promise<number> | undefined;
  const line = await new Promise<string>((resolve, reject) => {
    ended = runCommandLine(["study", "serve", name, "--json"], {
      ...environment,
      now: () => {
        now += 1000;
        return new Date(now);
      },
      stdout: { ...environment.stdout, write: resolve },
    });
    ended.then(() => reject(new Error(environment.written.stderr)), reject);
  });
  onTestFinished(async () => {
    environment.interrupt();
    await ended;
  });
  const { url, facilitator }: { url: string; facilitator: string } = JSON.parse(line);
  return { url, token: facilitator?.split("#")[1] ?? "" };
}

/** Asks for JSON, by a session or a facilitator's token. */
const caller = (url: string, token: () => string) => async (path: string, body?: unknown) => {
  const response = await fetch(`${url}/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = await response.text();
  const json = response.headers.get("Content-Type")?.includes("json") ? JSON.parse(bytes) : {};
  return { status: response.status, json, text: bytes };
};

async function joined(url: string, id: string) {
  let session = "";
  const call = caller(`${url}/api`, () => session);
  const { json } = await call("participants", { external: { source: "test", id } });
  session = json.session;
  await call("consent", { version: json.study.consent.version, agreed: true });
  return { call, participant: String(json.participant), study: json.study };
}

test("a facilitator leads, sees no model, and takes notes that are coded and erased", async () => {
  const { url, token } = await served("led");
  const { call, participant, study } = await joined(url, "anna");
  expect(study.moderated).toBe(true);
  const lead = caller(`${url}/facilitator/api`, () => token);
  const received: string[] = [];
  const session = async (path = "", body?: unknown) => {
    const answer = await lead(`sessions/${participant}${path}`, body);
    received.push(answer.text);
    return answer;
  };

  expect((await lead("study")).json).toMatchObject({
    seesModels: false,
    codebook: [{ code: "white coat", description: "worn" }, { code: "sameness" }],
  });
  expect((await lead("sessions")).json.sessions).toMatchObject([{ participant, stage: "waiting" }]);
  const place = (await call("place")).json;
  expect(place).toMatchObject({ step: 0, progress: { done: 0, total: 2 } });
  expect((await session()).json).toMatchObject({
    assignment: place.assignment,
    stage: "items",
    step: 0,
    steps: 4,
    item: { query: "a nurse" },
  });
  expect((await session("/steer", { to: "back" })).json.error.code).toBe("at-start");

  // Before the images: a note. With one model's images: a code of one tap. Sent twice, each counts once.
  const note = { id: "n1", text: "I see my aunt, SECRETWORDS" };
  for (const again of [note, note]) expect((await session("/notes", again)).status).toBe(200);
  expect((await session("/steer", { to: "next" })).json.step).toBe(1);
  expect((await call("place")).json.step).toBe(1);
  await session("/notes", { id: "n2", codes: ["sameness"] });
  await session("/notes", { id: "n3", text: "a slip", codes: ["white coat"] });
  await session("/notes", { id: "n3", text: "", codes: [] });
  expect((await session("/notes", { id: "n4", codes: ["other"] })).status).toBe(400);
  expect((await session("/notes", { id: "n5" })).status).toBe(400);

  await session("/steer", { to: "next" });
  await session("/steer", { to: "next" });
  expect((await session("/steer", { to: "next" })).json.error.code).toBe("not-answered");
  const answer = { words: "Somebody in white", comments: {} };
  await call("answers", { assignment: place.assignment, answer });
  expect((await session()).json).toMatchObject({ answer, attempt: 1, step: 3 });
  const second = (await session("/steer", { to: "next" })).json;
  expect(second).toMatchObject({ protocol: "rating", step: 0, steps: 1 });
  expect((await call(`assignments/${second.assignment}`)).json.item.text).toBe("A dog");
  const image = await fetch(
    `${url}/facilitator/api/sessions/${participant}/images/${second.item.image}`,
    { headers: { Authorization: `Bearer ${token}` } },
  );
  expect(
    Buffer.from(await image.arrayBuffer())
      .subarray(8, 12)
      .toString(),
  ).toBe("WEBP");

  // Back to the last step of the one before, on again, and past an answer that there is none of.
  expect((await session("/steer", { to: "back" })).json).toMatchObject({
    assignment: place.assignment,
    step: 3,
  });
  await session("/steer", { to: "next" });
  const end = (await session("/steer", { to: "skip" })).json;
  expect([end.stage, end.assignment]).toEqual(["finished", undefined]);
  expect((await call("place")).json.assignment).toBeNull();
  expect((await call("finish")).status).toBe(200);
  expect(received.join("\n")).not.toMatch(/secret-|images\/|"one"/);

  // A transcript by the page, and one by the command line while the study is served.
  const vtt =
    "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna>SECRETSPEECH before\n\n" +
    "00:59:00.000 --> 00:59:02.000\nlater\n";
  const begunAt = Date.parse("2026-11-23T10:00:00Z");
  const taken = await session("/transcripts", { name: "a.vtt", text: vtt, begunAt });
  expect(taken.json).toMatchObject({ accepted: true, utterances: 2 });
  await session("/transcripts", { name: "a.vtt", text: vtt, begunAt });
  expect((await session("/transcripts", { name: "b.vtt", text: "WEBVTT\n" })).status).toBe(400);
  await writeFile(join(folder, "b.txt"), "[00:10] Anna: A second recording.\n");
  const words = ["study", "transcript", "led", "b.txt", "--participant"];
  expect((await run(...words, participant, "--query", "a nurse")).code).toBe(exitCodes.done);
  expect((await run(...words, "p-nobodyhere")).code).toBe(exitCodes.input);

  // What is said while one model's images are shown is about that model.
  const { consentedAt, notes } = (await session()).json;
  const tappedAt = consentedAt + 1000 * notes.find(({ id }: { id: string }) => id === "n2").seconds;
  const cue = "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nAll alike.\n";
  await session("/transcripts", { name: "c.vtt", text: cue, begunAt: tappedAt });

  const file = join(folder, "led", "participants", `${participant}.jsonl`);
  const events = (await readFile(file, "utf8")).trim().split("\n");
  expect(events.filter((line) => line.includes("SECRETWORDS"))).toHaveLength(1);
  expect(events.filter((line) => line.includes("SECRETSPEECH"))).toHaveLength(1);

  expect((await run("study", "export", "led", "--table", "notes", "--out", "n.jsonl")).code).toBe(
    0,
  );
  const rows = (await readFile(join(folder, "n.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toMatchObject([
    { kind: "note", query: "a nurse", model: "", text: note.text, block: "mental-image" },
    {
      kind: "note",
      query: "a nurse",
      model: expect.stringMatching(/^secret-[xy]$/),
      codes: "sameness",
    },
    { kind: "transcript", part: "said by Anna", query: "", text: "SECRETSPEECH before" },
    { kind: "transcript", part: "said", text: "later" },
    { kind: "transcript", part: "said by Anna", query: "a nurse", seconds: 10 },
    { kind: "transcript", text: "All alike.", query: "a nurse", block: "mental-image" },
  ]);
  expect(rows.at(-1).model).toBe(rows[1].model);

  // Coded like notes: a sheet for the coders; what the facilitator tapped is there already.
  await run("study", "code", "led", "--out", "sheet.csv");
  const sheet = (await readFile(join(folder, "sheet.csv"), "utf8")).trim().split(/\r?\n/);
  expect(sheet.filter((line) => /SECRET|second recording|^later/.test(line))).toHaveLength(3);
  for (const coder of ["ben", "eva"]) {
    const coded = sheet.map((line, at) => (at === 0 ? line : `${line}white coat`));
    await writeFile(join(folder, `${coder}.csv`), `${coded.join("\n")}\n`);
  }
  const collected = await run("study", "code", "led", "--collect", "ben.csv,eva.csv", "--json");
  const { coders, agreement, themes } = JSON.parse(collected.stdout);
  expect(coders).toEqual(["ben", "eva", "facilitator"]);
  expect(agreement[0]).toMatchObject({ code: "white coat", majorityShare: 1 });
  const [sameness] = themes.filter(({ code }: { code: string }) => code === "sameness");
  expect(sameness).toMatchObject({ query: "a nurse", passages: 1, participants: 1 });
  expect(sameness.model).toMatch(/^secret-/);

  expect((await run("study", "erase", "led", "--participant", participant)).code).toBe(0);
  const all = await contentsOf(join(folder, "led"));
  for (const own of ["SECRETWORDS", "SECRETSPEECH", "second recording", participant, "anna"]) {
    expect(all).not.toContain(own);
  }
  expect((await session()).status).toBe(404);
});

test("only the facilitator's token leads, and only where the study is moderated", async () => {
  const { url, token } = await served("guarded");
  const { call, participant } = await joined(url, "ben");
  const stranger = caller(`${url}/facilitator/api`, () => "guess");
  const lead = caller(`${url}/facilitator/api`, () => token);
  for (const path of ["study", "sessions", `sessions/${participant}`]) {
    expect((await stranger(path)).status).toBe(401);
  }
  const note = { id: "1", text: "x" };
  expect((await stranger(`sessions/${participant}/notes`, note)).status).toBe(401);
  expect((await lead(`sessions/${participant}/steer`, { to: "away" })).status).toBe(400);
  expect((await lead("sessions/p-nobodyhere/steer", { to: "next" })).status).toBe(404);
  await call("withdraw", { erase: false });
  for (const [path, body] of [
    ["steer", { to: "next" }],
    ["notes", note],
    ["transcripts", { name: "a.txt", text: "words" }],
  ] as const) {
    expect((await lead(`sessions/${participant}/${path}`, body)).json.error.code).toBe("withdrawn");
  }
  const alone = await served("alone", config.replace("moderated: true", "moderated: false"));
  expect(alone.token).toBe("");
  expect((await caller(`${alone.url}/facilitator/api`, () => token)("study")).status).toBe(404);
  const person = await joined(alone.url, "eva");
  expect((await person.call("place")).status).toBe(404);
});

test("the facilitator sees models where the study's file says so; what contradicts it is told", async () => {
  const { url, token } = await served("seeing", `${config}facilitatorSeesModels: true\n`);
  const { call, participant } = await joined(url, "ann");
  await call("place");
  const lead = caller(`${url}/facilitator/api`, () => token);
  const { models } = (await lead(`sessions/${participant}`)).json;
  expect(models.map(({ label }: { label: string }) => label)).toEqual(["A", "B"]);
  expect(models.map(({ model }: { model: string }) => model).sort()).toEqual([
    "secret-x",
    "secret-y",
  ]);

  const wrong = config
    .replace("moderated: true", "facilitatorSeesModels: true")
    .replace("codes.yaml", "study.yaml");
  await writeFile(join(folder, "wrong.yaml"), wrong);
  const first = await run("study", "create", "wrong.yaml", "--lint");
  expect(first.code).toBe(exitCodes.input);
  expect(first.stderr).toMatch(/line 4: facilitatorSeesModels: there is no facilitator/);
  await writeFile(join(folder, "wrong.yaml"), wrong.replace("facilitatorSeesModels", "moderated"));
  const second = await run("study", "create", "wrong.yaml", "--lint");
  expect(second.code).toBe(exitCodes.input);
  expect(second.stderr).toMatch(/Expected a valid study\.yaml but found \d/);
});

/** All files of a folder in one text, names included. */
async function contentsOf(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".webp"))
    .map(
      async (entry) =>
        `${entry.name}\n${await readFile(join(entry.parentPath, entry.name), "latin1")}`,
    );
  return (await Promise.all(texts)).join("\n");
}
