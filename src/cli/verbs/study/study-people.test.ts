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
import { openStudyFolder, StudyService } from "../../../studies/index.js";
import { runCommandLine } from "../../command-line/run-command-line.js";

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

async function study(name: string, block: object): Promise<string> {
  const settings = { title: "People", open: true, consent: "I agree.", blocks: [block] };
  await writeFile(join(folder, `${name}.yaml`), JSON.stringify(settings));
  await run("study", "create", `${name}.yaml`, "--run", name);
  return join(folder, name);
}

async function scoresOf(place: string) {
  const scores = [];
  for await (const score of (await openStore(place)).ofType("score")) {
    if (score.metric === "people") scores.push(score);
  }
  return scores;
}

describe.skipIf(noPostgres !== undefined)(`runs in PostgreSQL ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
    vi.stubEnv("PGPASSWORD", PostgresServer.password);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });

  test("who is erased is in no page of the database, and others stay", async () => {
    await makeSampleRun(join(folder, "copied"));
    const place = await study("stored", { protocol: "rating", from: "copied", sample: 4 });
    const home = await openStudyFolder(place);
    const service = await StudyService.open(home);
    const first = await answerStudy(service, { id: "first", answer: () => ({ value: 4 }) });
    const second = await answerStudy(service, { id: "second", answer: () => ({ value: 2 }) });
    await home.end();
    const store = await server.newDatabase({ password: false });
    await run("run", "copy", "copied", `${store}/people`);
    await run("score", "people", "--answers", "stored", "--store", store);
    await run("report", "people", "--store", store);
    const pages = () => server.pagesOf(store);
    expect(await pages()).toContain(second.participant);
    const erased = await run("study", "erase", "stored", "--participant", second.participant);
    expect(erased.stderr.replace(/\s+/g, " ")).toContain("backups, snapshots and write-ahead log");
    expect(erased.stderr).not.toContain(PostgresServer.password);
    const after = await pages();
    expect(after).not.toContain(second.participant);
    expect(after).toContain(first.participant);
    const scores = await scoresOf(`${store}/people`);
    expect(scores.map((score) => score.status === "done" && score.value)).toEqual([4, 4, 4, 4]);
    await run("run", "verify", "people", "--store", store);

    // A role that may not free pages is told who may, and how.
    const address = store.replace("@", `:${PostgresServer.password}@`);
    await server.ask(address, "create role other login password 'other'");
    await server.ask(address, "alter table touchstone.records owner to other");
    await server.ask(address, "create role plain login password 'tests-only-secret'");
    await server.ask(address, "grant usage on schema touchstone to plain");
    await server.ask(
      address,
      "grant select, insert, update, delete on all tables in schema touchstone to plain",
    );
    const plain = await openStore(`${store.replace("tests@", "plain@")}/people`);
    const [said] = await plain.reclaim();
    expect(said).toContain("plain does not own them");
    expect(said).toContain("VACUUM (FULL) touchstone.records, touchstone.documents");
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
  await home.end();
  await cp(join(folder, "run"), join(folder, "without"), { recursive: true });
  await cp(place, join(folder, "rated-without"), { recursive: true });
  home = await openStudyFolder(place);
  service = await StudyService.open(home);
  const third = await answerStudy(service, { id: "third", answer: () => ({ value: outlier }) });
  await home.end();

  const { stdout } = await run("score", "run", "--answers", "rated");
  expect(stdout).toMatch(/3 people scored 12 of 12 images of run \(mean rating\)/);
  const scores = await scoresOf(join(folder, "run"));
  expect(scores.map((score) => score.status === "done" && score.value)).toEqual(
    Array.from({ length: 12 }, () => 3),
  );
  const report = JSON.parse((await run("report", "run", "--json")).stdout);
  expect(JSON.stringify(report)).toContain('"people"');
  // All rated alike: a tie counts as a failure. People are no metric to trust more.
  expect(report.verdict.at(-1)).toMatch(/^People prefer the typical wrong image in all/);
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

test("a torn record of people is not kept in the trace", async () => {
  const records = join(folder, "run", "records");
  const file = (await readdir(records)).find((one) => one.includes("people")) ?? "";
  const torn = '{"schema":1,"type":"score","details":{"people":[{"annotator":"p-tornaway"';
  await writeFile(join(records, file.replace(".jsonl", ".0a0b0c0d.jsonl")), torn);
  await run("score", "run", "--answers", "rated");
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
  await home.end();
  await home.end();
  await run("score", "outfits", "--answers", "localized");
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
  await home.end();
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
  await home.end();
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
