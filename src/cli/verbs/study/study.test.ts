import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { nextCommandsIn } from "../../../../test/support/next-commands.js";
import { savedJudge } from "../../../../test/support/saved-judge.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { sealedJudge } from "../../../judges/judge-artefact.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { runCommandLine } from "../../main.js";
import { exitCodes } from "../../report-error.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-study-"));
  await mkdir(join(folder, "secret-model"));
  for (let image = 0; image < 8; image++) {
    const data = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => (at * (image + 3)) % 256);
    const file = join(folder, "secret-model", `image-${image}.png`);
    await writeFile(file, encodePng({ width: 16, height: 16, data }));
  }
  const rows = Array.from({ length: 4 }, (_, pair) =>
    ["correct", "adversarial"].map(
      (side, at) =>
        `secret-item-${pair}-${side},secret-model/image-${2 * pair + at}.png,A dog and ${pair} balls,` +
        `pair-${pair},${side},secret-model,animals`,
    ),
  ).flat();
  await writeFile(
    join(folder, "items.csv"),
    ["id,image,text,pair,side,model,domain", ...rows, ""].join("\n"),
  );
  const pairs = Array.from(
    { length: 4 },
    (_, pair) =>
      `pair-${pair},A dog and ${pair} balls,secret-model/image-${2 * pair}.png,` +
      `secret-model/image-${2 * pair + 1}.png,model-x,model-y,judge.json`,
  );
  await writeFile(
    join(folder, "pairs.csv"),
    ["id,caption,image_a,image_b,model_a,model_b,judge", ...pairs, ""].join("\n"),
  );
});

/** Runs a command line in the test's folder. */
async function run(...words: string[]) {
  return touchstoneHere(words, { workingDirectory: folder });
}

interface Server {
  readonly url: string;
  readonly admin: string;
  stop(): Promise<void>;
}

async function serve(study: string): Promise<Server> {
  const environment = fakeEnvironment({ workingDirectory: folder });
  let now = 1_000_000;
  let ended: Promise<number> | undefined;
  const line = await new Promise<string>((resolve, reject) => {
    ended = runCommandLine(["study", "serve", study, "--json"], {
      ...environment,
      now: () => {
        now += 1;
        return new Date(now);
      },
      stdout: { ...environment.stdout, write: resolve },
    });
    ended.then(() => reject(new Error(environment.written.stderr)), reject);
  });
  const stop = async () => {
    environment.interrupt();
    await ended;
  };
  onTestFinished(stop);
  // One line, as studies.md promises: whoever started the server reads no further.
  expect(line.trimEnd()).not.toContain("\n");
  return { ...JSON.parse(line), stop };
}

/** Somebody who speaks the participants' interface. */
class Participant {
  session = "";
  readonly url: string;
  /** All that a browser would have received, headers included. */
  readonly received: string[] = [];

  constructor(url: string) {
    this.url = url;
  }

  async call(path: string, body?: unknown) {
    const response = await fetch(`${this.url}/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(this.session && { Authorization: `Bearer ${this.session}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    this.received.push(JSON.stringify([...response.headers]), bytes.toString("latin1"));
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return {
      status: response.status,
      json: isJson ? JSON.parse(bytes.toString()) : undefined,
      bytes,
    };
  }

  async join(body: unknown) {
    const joined = await this.call("participants", body);
    this.session = joined.json.session ?? "";
    return joined;
  }

  async consent(): Promise<void> {
    const { json } = await this.call("participants", { resume: this.session });
    const { status } = await this.call("consent", {
      version: json.study.consent.version,
      agreed: true,
    });
    expect(status).toBe(200);
  }

  /** Answers until nothing is left; how many were answered. */
  async answerAll(answer: (item: Record<string, unknown>) => unknown): Promise<number> {
    for (let answered = 0; ; answered++) {
      const next = await this.call("next");
      if (next.status === 204) return answered;
      expect(next.status).toBe(200);
      const { assignment, item } = next.json;
      const accepted = await this.call("answers", {
        assignment,
        answer: answer(item),
        milliseconds: 900,
      });
      expect(accepted).toMatchObject({ status: 200, json: { accepted: true } });
    }
  }
}

async function config(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return name;
}

const rating = `
title: Does the image show what the text says?
open: true
consent: I agree to take part.
codes: {finished: DONE-1, declined: "https://example.org/declined"}
blocks:
  - {protocol: rating, from: items.csv, ratingsPerItem: 2}
`;

async function created(name: string, text: string): Promise<string> {
  const file = await config(`${name}.yaml`, text);
  const { code, stderr } = await run("study", "create", file, "--run", name);
  expect(stderr).toBe("");
  expect(code).toBe(exitCodes.done);
  return name;
}

test("a study goes from its file to tables, whoever looks sees no source, and a kill loses nothing", async () => {
  const study = await created("whole", rating);
  let server = await serve(study);
  const people: Participant[] = [];
  for (const id of ["worker-1", "worker-2"]) {
    const person = new Participant(server.url);
    people.push(person);
    const joined = await person.join({ external: { source: "prolific", id } });
    expect(joined.status).toBe(201);
    expect(await readdir(join(folder, study, "participants")).catch(() => [])).toHaveLength(
      people.length - 1,
    );
    await person.consent();
  }
  const [first, second] = people as [Participant, Participant];

  const next = await first.call("next");
  expect((await first.call("next")).json).toEqual(next.json);
  const { item, assignment, upcoming, progress } = next.json;
  expect(progress).toEqual({ done: 0, total: 8 });
  expect(upcoming).toHaveLength(1);
  const image = await first.call(`images/${item.image}`);
  expect(image.status).toBe(200);
  expect(image.bytes.subarray(8, 12).toString()).toBe("WEBP");
  expect((await second.call(`images/${item.image}`)).status).toBe(404);
  expect((await second.call(`assignments/${assignment}`)).status).toBe(404);
  expect((await second.call("answers", { assignment, answer: { value: 1 } })).status).toBe(404);
  expect((await first.call("answers", { assignment, answer: { value: 9 } })).status).toBe(400);

  // Answered, again, corrected; and the server starts anew in between.
  await first.call("answers", { assignment, answer: { value: 1 } });
  await first.call("answers", { assignment, answer: { value: 1 } });
  await server.stop();
  server = await serve(study);
  for (const person of people) Object.assign(person, { url: server.url });
  await first.call("answers", { assignment, answer: { value: 4 } });
  expect((await first.call(`assignments/${assignment}`)).json).toMatchObject({
    answer: { value: 4 },
    skipped: false,
  });
  expect((await first.call("finish")).status).toBe(409);
  await first.answerAll(() => ({ value: 4 }));
  await second.answerAll(() => ({ value: 3 }));
  expect((await first.call("finish")).json).toMatchObject({ code: "DONE-1" });

  const received = people.flatMap((person) => person.received).join("\n");
  for (const secret of ["secret", ".png", "model", "adversarial", "worker-1"]) {
    expect(received).not.toContain(secret);
  }

  const status = JSON.parse((await run("study", "status", study, "--json")).stdout);
  expect(status.participants).toMatchObject({ consented: 2, finished: 1 });
  expect(status.blocks).toMatchObject([{ answers: 16, wanted: 16, complete: 8 }]);

  expect((await run("study", "export", study, "--table", "agreement", "--out", "a.csv")).code).toBe(
    0,
  );
  const table = (await readFile(join(folder, "a.csv"), "utf8")).trim().split(/\r?\n/);
  // Without a table it is every answer.
  await run("study", "export", study, "--out", "every.csv");
  expect(await readFile(join(folder, "every.csv"), "utf8")).toMatch(/^participant,collected,block/);
  expect(table[0]).toBe("item,annotator,value");
  expect(table).toHaveLength(17);
  const agreement = await run("analyze", "agreement", "a.csv", "--scale", "ordinal", "--json");
  expect(JSON.parse(agreement.stdout)).toMatchObject({
    items: 8,
    annotators: 2,
    majorityShare: 0.5,
  });
  // No column is a metric's: nothing is there yet to correlate with people.
  const kept = ["--table", "correlation", "--out", "k.csv"];
  const correlated = await run("study", "export", study, ...kept);
  expect(correlated.stdout).toContain("--table agreement --out agreement.csv");
  await run("study", "export", study, "--table", "contrastive", "--out", "c.jsonl");
  const [row] = (await readFile(join(folder, "c.jsonl"), "utf8")).split("\n");
  expect(JSON.parse(row ?? "")).toMatchObject({
    metric: "people",
    domain: "animals",
    correct: 3.5,
  });

  // Erased while the server runs: nothing of the person is left, and figures are as if they never came.
  const erased = status.quality[0].participant;
  expect((await run("study", "erase", study, "--participant", erased)).code).toBe(exitCodes.done);
  const left = await run("study", "status", study, "--json");
  expect(JSON.parse(left.stdout)).toMatchObject({
    participants: { consented: 1, erased: 1 },
    blocks: [{ answers: 8 }],
  });
  const all = await contentsOf(join(folder, study));
  expect(all).not.toContain(erased);
  expect([all.includes("worker-1"), all.includes("worker-2")].filter(Boolean)).toHaveLength(1);
  const gone = people.map(async (person) => (await person.call("next")).status);
  expect((await Promise.all(gone)).sort()).toEqual([204, 403]);
});

test("people's counts are named as such by the command that correlates metrics with them", async () => {
  const asked = [0, 1, 2].flatMap((image) =>
    ["reflection", "leakage"].map(
      (kind) =>
        `${image}-${kind},secret-model/image-${image}.png,dog,${kind}-spotted,${kind},0.${image + 3}`,
    ),
  );
  await config("asked.csv", ["id,image,entity,attribute,kind,clip", ...asked, ""].join("\n"));
  const study = await created(
    "counts",
    rating.replace(
      "rating, from: items.csv, ratingsPerItem: 2",
      "localized, from: asked.csv, ratingsPerItem: 1",
    ),
  );
  const person = new Participant((await serve(study)).url);
  await person.join({ external: { source: "lab", id: "one" } });
  await person.consent();
  expect(await person.answerAll(() => ({ value: "yes" }))).toBe(6);
  const { stdout } = await run(
    "study",
    "export",
    study,
    "--table",
    "correlation",
    "--out",
    "n.csv",
  );
  const [next = ""] = nextCommandsIn(stdout);
  expect(next).toContain("--human-counts tp,fp,fn --groups 3");
  const { code, stderr } = await run(...next.split(" ").slice(1));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("what is refused, and how", async () => {
  const study = await created("refusals", rating.replace("open: true", "open: false"));
  const early = await run("study", "invite", study, "--count", "2", "--json");
  const { links, invitations } = JSON.parse(early.stdout);
  expect(links).toEqual(invitations.map((one: string) => `/#invite=${one}`));
  const server = await serve(study);
  const [invite] = invitations;
  const person = new Participant(server.url);
  expect((await person.join({ external: { source: "x", id: "y" } })).json.error.code).toBe(
    "by-invitation",
  );
  expect((await person.join({ invite: `${invite}x` })).status).toBe(403);
  expect((await person.call("next")).status).toBe(401);
  expect((await person.join({ invite })).status).toBe(201);
  expect((await person.call("next")).json.error.code).toBe("consent-first");
  expect((await person.call("consent", { version: "other", agreed: true })).status).toBe(409);
  await person.consent();

  // The invitation is used; its holder comes back by the session or by a link back.
  expect((await new Participant(server.url).join({ invite })).status).toBe(409);
  const [{ participant }] = JSON.parse((await run("study", "status", study, "--json")).stdout)
    .quality.length
    ? JSON.parse((await run("study", "status", study, "--json")).stdout).quality
    : [
        {
          participant: (await person.call("participants", { resume: person.session })).json
            .participant,
        },
      ];
  const back = await run("study", "invite", study, "--back", participant, "--json");
  const link = JSON.parse(back.stdout).links[0].split("#resume=")[1];
  expect((await run("study", "invite", study, "--back", "p-nobodyatall")).code).toBe(2);
  const again = new Participant(server.url);
  expect((await again.join({ resume: link })).json.participant).toBe(participant);
  expect((await again.call("next")).status).toBe(200);

  const [payload, mac] = person.session.split(".");
  const other = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
  const forged = Buffer.from(JSON.stringify({ ...other, bits: "0" })).toString("base64url");
  const refusals: [unknown, number][] = [
    [await raw(server, "next", { Authorization: `Bearer ${forged}.${mac}` }), 401],
    [await raw(server, "next", { Authorization: "Bearer x" }), 401],
    [await raw(server, "../study.json", {}), 404],
    [await raw(server, "..%2fsecret.json", {}), 404],
    [await raw(server, "participants", { "Content-Type": "text/plain" }, "{}"), 400],
    [await raw(server, "participants", { "Content-Type": "application/json" }, "{"), 400],
    [
      await raw(server, "participants", { "Content-Type": "application/json" }, '{"resume":1}'),
      400,
    ],
    [
      await raw(
        server,
        "answers",
        { "Content-Type": "application/json", Authorization: `Bearer ${person.session}` },
        JSON.stringify({ note: "x".repeat(4_000_001) }),
      ),
      413,
    ],
  ];
  for (const [found, expected] of refusals) expect(found).toBe(expected);
  const admin = await fetch(`${server.url}/admin/api/status`);
  expect(admin.status).toBe(401);

  for (let time = 0; time < 2; time++) {
    expect((await person.call("withdraw", { erase: false })).status).toBe(200);
  }
  expect((await person.call("next")).json.error.code).toBe("withdrawn");
  for (let time = 0; time < 2; time++) {
    expect((await person.call("withdraw", { erase: true })).json.erased).toBe(true);
  }

  for (let attempt = 0; attempt < 40; attempt++) await person.join({ invite: "guess.guess" });
  expect((await person.join({ invite: "guess.guess" })).status).toBe(429);

  await run("study", "close", study);
  expect((await run("study", "serve", study)).code).toBe(exitCodes.input);
});

test("sides of pairs are even, and preferences name the model that was shown first", async () => {
  const study = await created(
    "pairs",
    `
title: Which is better?
open: true
consent: I agree.
blocks:
  - {protocol: pairwise, from: pairs.csv, ratingsPerItem: 4, why: true}
`,
  );
  const server = await serve(study);
  for (let id = 0; id < 4; id++) {
    const person = new Participant(server.url);
    await person.join({ external: { source: "test", id: `id-${id}` } });
    await person.consent();
    expect(await person.answerAll(() => ({ preferred: "a", why: "sharper" }))).toBe(4);
  }
  // The signed link of an outside id leads back to one's own session, from any browser.
  const invited = await run("study", "invite", study, "--outside", "prolific:a b&c", "--json");
  const { searchParams } = new URL(JSON.parse(invited.stdout).links[0]);
  expect(searchParams.get("PROLIFIC_PID")).toBe("a b&c");
  const signature = searchParams.get("signature") ?? "";
  const external = { source: "prolific", id: "a b&c", signature };
  const came = new Participant(server.url);
  const { participant } = (await came.join({ external })).json;
  await came.consent();
  expect((await new Participant(server.url).join({ external })).json.participant).toBe(participant);
  expect((await run("study", "invite", study, "--outside", "nobody")).code).toBe(2);
  expect(nextCommandsIn((await run("study", "status", study)).stdout)).toEqual([
    expect.stringContaining("--table preferences --out preferences.csv --block"),
  ]);
  await run("study", "export", study, "--table", "preferences", "--out", "p.jsonl");
  const rows = (await readFile(join(folder, "p.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(16);
  expect(rows.filter(({ a }) => a === "model-x")).toHaveLength(8);
  // Everybody took the first one shown.
  expect(rows.every(({ preferred }) => preferred === "a")).toBe(true);
  // Answers to a judge's queue go back to that judge, by the command that made it.
  const exporting = ["study", "export", study, "--table", "calibrate", "--out", "k.jsonl"];
  const status = [`touchstone study status ${study}`];
  expect(nextCommandsIn((await run(...exporting)).stdout)).toEqual(status);
  const command = ["labels.csv", "--model", "mine"];
  await writeFile(join(folder, "judge.json"), sealedJudge(savedJudge({ command })));
  // Without the labels that it was made of it can't be made again.
  expect(nextCommandsIn((await run(...exporting)).stdout)).toEqual(status);
  await writeFile(join(folder, "labels.csv"), "");
  const [next] = nextCommandsIn((await run(...exporting)).stdout);
  expect(next).toMatch(
    /^touchstone calibrate labels\.csv --model mine .*--add k\.jsonl --out judge\.json$/,
  );
  const [label] = (await readFile(join(folder, "k.jsonl"), "utf8")).split("\n");
  expect(JSON.parse(label ?? "")).toMatchObject({ preferred: "tie", votes: 4 });
});

test("who is screened out or declines leaves a count and nothing else", async () => {
  const study = await created(
    "screened",
    `${rating}background:
  - {name: art, question: Do you paint?, choices: ["yes", "no"]}
screening:
  - {name: art, accept: ["yes"], quotas: {"yes": 1}}
`,
  );
  const server = await serve(study);
  const join = async (id: string) => {
    const person = new Participant(server.url);
    await person.join({ external: { source: "test", id } });
    return person;
  };
  const declining = await join("declining");
  const { json } = await declining.call("participants", { resume: declining.session });
  const { version } = json.study.consent;
  expect((await declining.call("consent", { version, agreed: false })).json).toEqual({
    declined: true,
    redirect: "https://example.org/declined",
  });
  expect((await declining.call("consent", { version, agreed: true })).status).toBe(403);
  // A network that sends it twice.
  expect((await declining.call("consent", { version, agreed: false })).json.declined).toBe(true);
  for (const [id, art, code] of [
    ["first", "yes", undefined],
    ["second", "yes", "quota-full"],
    ["third", "no", "screened-out"],
    ["fourth", null, "screened-out"],
  ] as const) {
    const person = await join(id);
    await person.consent();
    expect((await person.call("next")).json.error.code).toBe("background-first");
    const sent = await person.call("background", { art });
    expect([sent.status, sent.json.reason]).toEqual([200, code]);
    expect(await person.call("background", { art })).toEqual(sent);
    const next = await person.call("next");
    expect([next.status, next.json.error?.code]).toEqual([code === undefined ? 200 : 403, code]);
  }
  const all = await contentsOf(`${folder}/${study}`);
  for (const id of ["declining", "second", "third", "fourth"]) expect(all).not.toContain(id);
  expect(all).toContain("first");
  const status = JSON.parse((await run("study", "status", study, "--json")).stdout);
  expect(status.participants).toMatchObject({
    consented: 1,
    declined: 1,
    "screened-out": 2,
    "quota-full": 1,
  });
});

test("a quota or the study is full by people who were let in, also where they come at once", async () => {
  const study = await created(
    "quotas",
    `${rating.replace(/codes:.*\n/, "")}codes: {full: FULL}
warning: Some images show falls.
participants: 3
background:
  - {name: art, question: Do you paint?, choices: ["yes", "no", "a bit"]}
screening:
  - {name: art, accept: ["yes", "a bit"], quotas: {"yes": 1}}
`,
  );
  const server = await serve(study);
  const come = async (id: string) => {
    const person = new Participant(server.url);
    const { json } = await person.join({ external: { source: "test", id } });
    expect(json.study.warning).toBe("Some images show falls.");
    await person.consent();
    return person;
  };
  // Five have agreed; who has not answered yet takes no place from others.
  const people = await Promise.all(["a", "b", "c", "d", "e"].map(come));
  const [first, second, third, fourth, fifth] = people as [
    Participant,
    Participant,
    Participant,
    Participant,
    Participant,
  ];
  const yes = [first, second].map((person) => person.call("background", { art: "yes" }));
  const outcomes = await Promise.all(yes);
  expect(outcomes.map(({ json }) => json.accepted).sort()).toEqual([false, true]);
  const refused = outcomes.find(({ json }) => !json.accepted);
  expect(refused).toMatchObject({ status: 200, json: { reason: "quota-full", code: "FULL" } });

  // A double click changes nothing; other answers can't turn somebody out who was let in.
  const inside = outcomes[0]?.json.accepted ? first : second;
  expect((await inside.call("background", { art: "yes" })).status).toBe(200);
  expect((await inside.call("background", { art: "no" })).json.error.code).toBe("background-given");
  expect((await inside.call("next")).status).toBe(200);

  // The same person, from another browser, is the same place of the quota.
  const again = await come(inside === first ? "a" : "b");
  expect((await again.call("background", { art: "yes" })).status).toBe(200);

  expect((await third.call("background", { art: "a bit" })).status).toBe(200);
  const bits = [fourth, fifth].map((person) => person.call("background", { art: "a bit" }));
  const accepted = (await Promise.all(bits)).map(({ json: answer }) => answer.accepted);
  expect(accepted.sort()).toEqual([false, true]);
  const late = new Participant(server.url);
  const { json } = await late.join({ external: { source: "test", id: "late" } });
  const full = await late.call("consent", { version: json.study.consent.version, agreed: true });
  expect(full).toMatchObject({ status: 200, json: { accepted: false, code: "FULL" } });
  expect(await late.call("next")).toMatchObject({
    status: 403,
    json: { error: { code: "quota-full" }, code: "FULL" },
  });
  const status = JSON.parse((await run("study", "status", study, "--json")).stdout);
  expect(status.participants).toMatchObject({ consented: 3, "quota-full": 3 });
});

test("exact studies end with every item full, whoever is quick", async () => {
  const study = await created(
    "exact",
    `${rating}participants: 4\n`.replace(
      "ratingsPerItem: 2",
      "sample: 8, ratingsPerItem: 2, itemsPerParticipant: 4",
    ),
  );
  const server = await serve(study);
  const people = await Promise.all(
    ["a", "b", "c", "d"].map(async (id) => {
      const person = new Participant(server.url);
      await person.join({ external: { source: "test", id } });
      await person.consent();
      return person;
    }),
  );
  const answered = await Promise.all(
    people.map((person) => person.answerAll(() => ({ value: 2 }))),
  );
  expect(answered).toEqual([4, 4, 4, 4]);
  const status = JSON.parse((await run("study", "status", study, "--json")).stdout);
  expect(status.blocks).toMatchObject([{ answers: 16, wanted: 16, complete: 8 }]);
});

test("codes say where everybody goes, and everything is erased when the retention date comes", async () => {
  const study = await created(
    "codes",
    `${rating.replace(/codes:.*\n/, "")}codes: {finished: F, screenedOut: S, full: "https://example.org/full"}
retention: 1970-01-01
disclose: at-end
participants: 2
background:
  - {name: art, question: Do you paint?, choices: ["yes", "no"]}
screening:
  - {name: art, accept: ["yes"]}
`,
  );
  const server = await serve(study);
  const come = async (id: string) => {
    const person = new Participant(server.url);
    const joined = await person.join({ external: { source: "test", id } });
    const { version } = joined.json.study.consent;
    return { person, consent: await person.call("consent", { version, agreed: true }) };
  };
  const out = await come("out");
  expect((await out.person.call("background", { art: "no" })).json).toMatchObject({ code: "S" });
  const inside = await come("inside");
  await inside.person.call("background", { art: "yes" });
  await inside.person.answerAll(() => ({ value: 2 }));
  expect((await inside.person.call("finish")).json).toMatchObject({
    code: "F",
    debrief: "The images in this study were made by computers.",
  });
  const second = await come("second");
  expect((await second.person.call("background", { art: "yes" })).status).toBe(200);
  expect((await come("third")).consent).toMatchObject({
    status: 200,
    json: { reason: "quota-full", redirect: "https://example.org/full" },
  });
  const { stderr } = await run("study", "status", study);
  expect(stderr).toMatch(/were to be erased by 1970-01-01/);
  const erased = JSON.parse((await run("study", "erase", study, "--all", "--json")).stdout);
  expect(erased.erased).toHaveLength(2);
  expect(await readdir(join(folder, study, "participants"))).toEqual([]);
  expect(await readdir(join(folder, study, "outside-ids"))).toEqual([]);
  const left = JSON.parse((await run("study", "status", study, "--json")).stdout);
  expect(left.participants).toMatchObject({ consented: 0, erased: 2, "screened-out": 1 });
});

test("what can't be served is listed by line or item, and nothing is written", async () => {
  await writeFile(
    join(folder, "broken.csv"),
    "id,image,text\none,secret-model/image-0.png,A dog\ntwo,none.png,A cat\nthree,broken.csv,A cat\n",
  );
  const file = await config(
    "broken.yaml",
    rating.replace("items.csv", "broken.csv").replace("consent", "participants: 2\nconsent"),
  );
  const { code, stderr } = await run("study", "create", file, "--run", "broken");
  expect(code).toBe(exitCodes.input);
  expect(stderr.replace(/\s+/g, " ")).toMatch(
    /two: Can't read .*none\.png: there is no such file \(in broken\.csv, line 3\)/,
  );
  expect(stderr).toMatch(/three: Can't read .*broken\.csv/);
  const wrong = await config("wrong.yaml", "title: x\nconsent: y\nblock: []\n");
  const refused = await run("study", "create", wrong, "--run", "wrong");
  expect(refused.code).toBe(exitCodes.input);
  expect(refused.stderr).toMatch(/line 1.*blocks/s);
  // A file of somebody else's suggests no erasure.
  await config("erase.yaml", `${rating}next: [study, erase, erase, --all]\n`);
  const { stderr: said } = await run("study", "create", "erase.yaml", "--run", "erase");
  expect(said.replace(/\s+/g, " ")).toContain("expected compare and the words after it");
});

test("the command of a study's file is suggested only where it names the study, quoted", async () => {
  const next = ["compare", "--labels", "named", "--metric", "a; $(b)"];
  const suggested: (string | undefined)[] = [];
  for (const name of ["named", "moved"]) {
    const study = await created(name, `${rating}next: ${JSON.stringify(next)}\n`);
    const server = await serve(study);
    for (const id of ["worker-1", "worker-2"]) {
      const person = new Participant(server.url);
      await person.join({ external: { source: "prolific", id } });
      await person.consent();
      await person.answerAll(() => ({ value: 3 }));
    }
    await server.stop();
    suggested.push(...nextCommandsIn((await run("study", "status", study)).stdout));
  }
  expect(suggested).toEqual([
    "touchstone compare --labels named --metric 'a; $(b)'",
    expect.stringContaining("touchstone study export moved --table agreement"),
  ]);
});

test("a stopped server says how the study is looked at, a preview how it is served", async () => {
  const study = await created("stopped", rating);
  for (const [words, verb] of [
    [[], "status"],
    [["--preview"], "serve"],
  ] as const) {
    const environment = fakeEnvironment({ workingDirectory: folder });
    const { stdout } = environment;
    await runCommandLine(["study", "serve", study, ...words], {
      ...environment,
      stdout: {
        ...stdout,
        write(text) {
          stdout.write(text);
          environment.interrupt();
        },
      },
    });
    expect(nextCommandsIn(environment.written.stdout)).toEqual([
      `touchstone study ${verb} stopped`,
    ]);
  }
});

async function raw(
  { url }: Server,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<number> {
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

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

afterAll(() => rm(folder, { recursive: true, force: true }));

test("a study that a server has begun to hold is changed by no command, which would hide answers from it", async () => {
  await config("export.json", "[]");
  const server = await openStudyFolder(join(folder, await created("held", rating)));
  await server.beginServing();
  onTestFinished(() => server.endServing());
  for (const words of [
    ["close", "held"],
    ["erase", "held", "--all"],
    ["import", "held", "export.json"],
  ]) {
    expect(await run("study", ...words)).toMatchObject({
      code: exitCodes.input,
      stderr: expect.stringContaining(`process ${process.pid}`),
    });
  }
  await server.endServing();
  expect((await run("study", "close", "held")).code).toBe(exitCodes.done);
  // It holds the study no longer.
  await server.beginServing();
});
