import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeConfusionRun } from "../../../../test/report/confusion-run.js";
import { makeSampleRun } from "../../../../test/report/sample-run.js";
import { answerStudy } from "../../../../test/support/answer-study.js";
import { bytesIn } from "../../../../test/support/bytes-in.js";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { noPostgres, PostgresServer } from "../../../../test/support/postgres-server.js";
import { openStore } from "../../../files/open-store.js";
import { openStudy } from "../../../studies/home/open-study.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { runCommandLine } from "../../main.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-people-"));
});

async function run(...words: string[]) {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const code = await runCommandLine(words, environment);
  expect(code, environment.written.stderr).toBe(0);
  return environment.written;
}

async function study(name: string, block: object, store: readonly string[] = []): Promise<string> {
  const settings = { title: "People", open: true, consent: "I agree.", blocks: [block] };
  await writeFile(join(folder, `${name}.yaml`), JSON.stringify(settings));
  await run("study", "create", `${name}.yaml`, "--run", name, ...store);
  return join(folder, name);
}

async function scoresOf(place: string) {
  const scores = [];
  for await (const score of (await openStore(place)).ofType("score")) {
    if (score.metric === "people") scores.push(score);
  }
  return scores;
}

/** A run that took over what two people answered in a study, which notes it. */
async function takenOver(name: string, ...store: string[]) {
  await makeSampleRun(join(folder, name));
  const place =
    store[1] === undefined ? join(folder, `${name}-study`) : `${store[1]}/${name}-study`;
  await study(`${name}-study`, { protocol: "rating", from: name, sample: 4 }, store);
  const home = await openStudy(place);
  const service = await StudyService.open(home);
  const first = await answerStudy(service, { id: "first", answer: () => ({ value: 4 }) });
  const second = await answerStudy(service, { id: "second", answer: () => ({ value: 2 }) });
  await run("score", name, "--answers", store[1] === undefined ? `${name}-study` : place);
  return { place, first: first.participant, second: second.participant };
}

const isThere = async (place: string, participant: string) =>
  (await bytesIn(place)).includes(participant);

test("answers in a run of 0.2 in a database are out of reach: what can be is erased, and it fails", async () => {
  const { place, first, second } = await takenOver("beside");
  const home = await openStudy(place);
  const ended = "postgres://nobody@127.0.0.1:1/none/people";
  await home.noteRun({ run: ended, block: "rating", command: ["score"] });
  const environment = fakeEnvironment({ workingDirectory: folder });
  const words = ["study", "erase", "beside-study", "--participant", second];
  expect(await runCommandLine(words, environment)).toBe(3);
  const said = environment.written.stderr.replace(/\s+/g, " ");
  expect(said).toContain(ended);
  expect(said).toContain("run copy");
  for (const where of [place, join(folder, "beside")]) {
    expect([await isThere(where, first), await isThere(where, second)]).toEqual([true, false]);
  }
});

test("nobody is erased while a process works on a run that took answers over", async () => {
  const { second } = await takenOver("held");
  const run = join(folder, "held");
  const erase = () => {
    const environment = fakeEnvironment({ workingDirectory: folder });
    const words = ["study", "erase", "held-study", "--participant", second];
    return runCommandLine(words, environment);
  };
  const writer = await (await openStore(run)).startWriting([]);
  expect(await erase()).toBe(2);
  await writer.close();
  expect([await erase(), await isThere(run, second)]).toEqual([0, false]);
});

describe.skipIf(noPostgres !== undefined)(`with PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
    vi.stubEnv("PGPASSWORD", PostgresServer.password);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });

  test("who is erased from a study in a database vanishes from a run in a folder", async () => {
    const store = await server.newDatabase({ password: false });
    const { first, second } = await takenOver("stored", "--store", store);
    const erase = ["study", "erase", "stored-study", "--store", store, "--participant", second];
    expect(JSON.parse((await run(...erase, "--json")).stdout).runs).toEqual([
      join(folder, "stored"),
    ]);
    const place = join(folder, "stored");
    expect([await isThere(place, first), await isThere(place, second)]).toEqual([true, false]);
  });

  test("erasing fails until a run of 0.2 is gone from its database", async () => {
    const store = await server.newDatabase({ password: false });
    const address = store.replace("@", `:${PostgresServer.password}@`);
    await server.ask(address, "create schema touchstone");
    await server.ask(address, "create table touchstone.runs (id int, name text)");
    await server.ask(address, "insert into touchstone.runs values (1, 'people')");
    const { place, first, second } = await takenOver("until");
    const home = await openStudy(place);
    await home.noteRun({ run: `${store}/people`, block: "rating", command: ["score"] });
    const erase = async (participant: string) => {
      const environment = fakeEnvironment({ workingDirectory: folder });
      const words = ["study", "erase", "until-study", "--participant", participant];
      const code = await runCommandLine(words, environment);
      expect(environment.written.stderr).not.toContain(PostgresServer.password);
      return code;
    };
    expect(await erase(first)).toBe(3);
    await server.ask(address, "delete from touchstone.runs");
    expect(await erase(second)).toBe(0);
  });
});

/** Wide apart from what others answer, and in no file by chance. */
const outlier = 3;

test("people stand beside metrics, and who is erased vanishes from the run and its figures", async () => {
  await makeSampleRun(join(folder, "run"));
  const block = { protocol: "rating", from: "run", sample: 12, ratingsPerItem: 3 };
  const place = await study("rated", block);
  let home = await openStudyFolder(place);
  let service = await StudyService.open(home);
  for (const id of ["first", "second"]) {
    await answerStudy(service, { id, answer: () => ({ value: id === "first" ? 4 : 2 }) });
  }
  await cp(join(folder, "run"), join(folder, "without"), { recursive: true });
  await cp(place, join(folder, "rated-without"), { recursive: true });
  home = await openStudyFolder(place);
  service = await StudyService.open(home);
  const third = await answerStudy(service, { id: "third", answer: () => ({ value: outlier }) });

  const { stdout } = await run("score", "run", "--answers", "rated");
  expect(stdout).toMatch(/3 people scored 12 of 12 images of run \(mean rating\)/);
  const scores = await scoresOf(join(folder, "run"));
  expect(scores.map((score) => score.status === "done" && score.value)).toEqual(
    Array.from({ length: 12 }, () => 3),
  );
  const report = JSON.parse((await run("report", "run", "--json")).stdout);
  expect(JSON.stringify(report)).toContain('"people"');
  // All rated alike: a tie counts as a failure. People are no metric to trust more.
  expect(report.verdict).toContainEqual(
    expect.stringMatching(/^People prefer the typical wrong image in all/),
  );
  expect(report.verdict[0]).not.toMatch(/trust people/);
  const card = JSON.parse((await run("card", "run", "--json", "--resamples", "100")).stdout);
  expect(JSON.stringify(card)).toContain("people");
  expect(await bytesIn(join(folder, "run"))).toContain(third.participant);

  // Corrected, taken over anew: what was answered before is nowhere in the run.
  await run("score", "run", "--answers", "rated");
  const erased = await run("study", "erase", "rated", "--participant", third.participant, "--json");
  expect(JSON.parse(erased.stdout).runs).toEqual([join(folder, "run")]);
  expect(await bytesIn(join(folder, "run"))).not.toContain(third.participant);
  expect(await bytesIn(place)).not.toContain(third.participant);
  await run("run", "verify", "run");

  // As if they had never come: a run that took over the study as it was before.
  await run("score", "without", "--answers", "rated-without");
  const peopleFile = async (name: string) => {
    const records = join(folder, name, "records");
    const file = (await readdir(records)).find((one) => one.includes("people"));
    return readFile(join(records, file ?? ""), "utf8");
  };
  expect(await peopleFile("run")).toBe(await peopleFile("without"));
  const figures = async (name: string) => {
    const {
      path: _,
      bytes: __,
      ...json
    } = JSON.parse((await run("report", name, "--json")).stdout);
    return JSON.stringify(json).replaceAll(`"name":"${name}"`, "");
  };
  expect(await figures("run")).toBe(await figures("without"));
});

test.each([
  ["scored", ["score", "run", "--answers", "rated"]],
  ["resumed", ["run", "resume", "run"]],
])("a torn record of people is not kept in the trace of a run that is %s", async (_, words) => {
  const records = join(folder, "run", "records");
  const file = (await readdir(records)).find((one) => one.includes("people")) ?? "";
  const torn = '{"schema":1,"type":"score","details":{"people":[{"annotator":"p-tornaway"';
  await writeFile(join(records, file.replace(".jsonl", ".0a0b0c0d.jsonl")), torn);
  // The sample names a command that did not make it.
  const recipe = JSON.parse(await readFile(join(folder, "run/run.json"), "utf8"));
  await writeFile(join(folder, "run/run.json"), JSON.stringify({ ...recipe, commands: [] }));
  await rm(join(folder, "run/seals/run.json.sha256"), { force: true });
  await run(...words);
  expect(await bytesIn(join(folder, "run"))).not.toContain("p-tornaway");
});

test("people are the reference of attribute confusion where nobody else is", async () => {
  await makeConfusionRun(join(folder, "outfits"), {
    count: 2,
    painters: ["painter-a"],
    isReferenced: false,
  });
  const place = await study("localized", {
    protocol: "localized",
    from: "outfits",
    ratingsPerItem: 1,
  });
  const home = await openStudyFolder(place);
  const service = await StudyService.open(home);
  await answerStudy(service, { id: "one", answer: () => ({ value: "yes" }) });
  const scored = await run("score", "outfits", "--answers", "localized");
  // Said yes to everything, no image is as described: the report of the others is what follows.
  const [, next = ""] = scored.stdout.match(/Next: touchstone (.*)/) ?? [];
  expect(next).toMatch(/^report /);
  await run(...next.split(" "));
  const [score] = await scoresOf(join(folder, "outfits"));
  expect(score?.step).toBe("check-attributes@1");
  const { correlations, circular, isUnreferenced } = await reported("outfits");
  expect(correlations.f1.metrics).toHaveProperty("vqa-score");
  expect(Object.keys(correlations.f1.metrics).join()).toContain("localized");
  expect({ circular, isUnreferenced }).toEqual({ circular: [], isUnreferenced: false });
});

const reported = async (name: string) =>
  JSON.parse((await run("report", name, "--json", "--unfiltered")).stdout);

test("people who saw a metric's own crops are refused as its reference, by name", async () => {
  await makeConfusionRun(join(folder, "crops"), {
    count: 2,
    painters: ["painter-a"],
    isReferenced: false,
  });
  const place = await study("cropped", {
    protocol: "localized",
    from: "crops",
    ratingsPerItem: 1,
    view: "localized",
  });
  const home = await openStudyFolder(place);
  const service = await StudyService.open(home);
  await answerStudy(service, { id: "one", answer: () => ({ value: "yes" }) });
  await run("score", "crops", "--answers", "cropped");
  const { correlations, circular, verdict } = await reported("crops");
  const judged = Object.keys(correlations.f1.metrics);
  expect(judged).toContain("vqa-score");
  expect(judged.filter((id) => id.includes("test:localiser"))).toEqual([]);
  expect(judged.some((id) => id.includes("poor-localiser"))).toBe(true);
  expect(circular.length).toBeGreaterThan(0);
  for (const one of circular) expect(one.localizer).toBe("test:localiser");
  expect(verdict.join(" ")).toContain(`No verdict on ${circular[0].metric}`);
});

test("what gives no scores is refused", async () => {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const code = await runCommandLine(["score", "run", "--answers", "localized"], environment);
  expect(code).toBe(2);
  expect(environment.written.stderr).toMatch(/shows none of them/);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("an export of the run names neither people nor this machine, and erasure names the export", async () => {
  await makeSampleRun(join(folder, "shown"));
  const place = await study("asked", { protocol: "rating", from: "shown", sample: 6 });
  const home = await openStudyFolder(place);
  const service = await StudyService.open(home);
  const answers = { first: 4, second: 2 };
  const [first, second] = [
    await answerStudy(service, { id: "first", answer: () => ({ value: answers.first }) }),
    await answerStudy(service, { id: "second", answer: () => ({ value: answers.second }) }),
  ];
  await run("studio", "export", join(folder, "shown"), "--out", "before");
  expect(await readdir(join(folder, "shown"))).not.toContain("exports.json");
  await run("score", join(folder, "shown"), "--answers", place);
  await run("report", join(folder, "shown"));
  const shown = await run("studio", "export", join(folder, "shown"), "--out", "pages");
  expect(shown.stderr).toContain("without pseudonyms");
  await run("studio", "export", "shown", "--out", "named", "--with-people");

  const holds = async (pages: string, text: string) =>
    (await bytesIn(join(folder, pages))).includes(text);
  expect(await holds("pages", "mean rating")).toBe(true);
  for (const pages of ["before", "pages", "named"]) expect(await holds(pages, folder)).toBe(false);
  for (const { participant } of [first, second]) {
    expect(await holds("pages", participant)).toBe(false);
    expect(await holds("named", participant)).toBe(true);
  }
  const erased = await run("study", "erase", "asked", "--participant", second.participant);
  const said = erased.stderr.replace(/\s+/g, " ");
  expect(said).toContain(`exported to ${join(folder, "pages")}`);
  expect(said).toContain(`exported to ${join(folder, "named")}`);
  expect(said).not.toContain(join(folder, "before"));
  await run("run", "verify", "shown");
});
