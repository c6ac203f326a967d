import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scoreRecord, timedOut } from "../../../test/support/score-record.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import type { NewRun } from "../../core/recipe.js";
import type { AnyRecord, RecordOf } from "../../core/records.js";
import type { Records } from "../../core/step.js";
import { takeOverRun } from "../open-store.js";
import { RunFolder } from "./run-folder.js";

const run: NewRun = { command: "touchstone demo --seed 3", seed: 3, software: "1.0.0" };
const score = { name: "score", version: 1, produces: "score", parameters: { metric: "a" } };

const unscored = (text: string, attempt: number) => scoreRecord(text, { ...timedOut, attempt });

async function texts(records: Records): Promise<string[]> {
  const found: string[] = [];
  for await (const { text, attempt, status } of records.ofType("score")) {
    found.push(`${text} ${attempt} ${status}`);
  }
  return found;
}

async function newRun(): Promise<RunFolder> {
  const directory = join(await temporaryDirectory(), "run");
  const folder = await RunFolder.open({ directory, create: run });
  await (await folder.startWriting([])).close();
  return folder;
}

test("makes run.json with its seal and nothing else, and opens it again", async () => {
  const { directory } = await newRun();
  expect(await readdir(directory)).toEqual(["run.json", "seals"]);
  expect((await RunFolder.open({ directory })).recipe).toEqual({
    schema: 1,
    software: ["1.0.0"],
    commands: ["touchstone demo --seed 3"],
    seed: 3,
    sources: [],
    models: [],
    steps: [],
  });
});

test("refuses a folder that is in use for something else, and touches nothing in it", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "holiday.jpg"), "");
  const attempt = RunFolder.open({ directory, create: run });
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow("which holds holiday.jpg");
  expect(await readdir(directory)).toEqual(["holiday.jpg"]);
});

test("a file manager's hidden file does not stand in the way", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, ".DS_Store"), "");
  await expect(RunFolder.open({ directory, create: run })).resolves.toBeInstanceOf(RunFolder);
});

test("reading where there is no run is wrong input", async () => {
  const directory = join(await temporaryDirectory(), "none");
  await expect(RunFolder.open({ directory })).rejects.toThrow("which has no run.json");
  await expect(readdir(directory)).rejects.toThrow("ENOENT");
});

test("a recipe that can't be read is named", async () => {
  const { directory } = await newRun();
  for (const content of ["{", '{"schema":1}', JSON.stringify({ schema: 2 })]) {
    await writeFile(join(directory, "run.json"), content);
    await expect(RunFolder.open({ directory })).rejects.toThrow(join(directory, "run.json"));
  }
});

test("refuses to go on with another seed, says so, and names the way out", async () => {
  const { directory } = await newRun();
  const before = await readFile(join(directory, "run.json"), "utf8");
  const attempt = RunFolder.open({ directory, create: { ...run, seed: 4 } });
  await expect(attempt).rejects.toMatchObject({
    problems: ["the seed was 3 and is now 4"],
    hint: expect.stringContaining("touchstone demo --seed 3"),
  });
  expect(await readFile(join(directory, "run.json"), "utf8")).toBe(before);
});

test("a command that is refused for its steps leaves run.json as it was, and is no way out", async () => {
  const folder = await newRun();
  await (await folder.startWriting([score])).close();
  const path = join(folder.directory, "run.json");
  const before = await readFile(path, "utf8");
  const other = { command: "touchstone score", seed: 3, software: "2.0.0", models: ["lab:judge"] };
  const again = await RunFolder.open({ directory: folder.directory, create: other });
  const attempt = again.startWriting([{ ...score, parameters: { metric: "b" } }]);
  await expect(attempt).rejects.toMatchObject({
    hint: expect.stringMatching(/continue this one: touchstone demo --seed 3$/),
  });
  expect(await readFile(path, "utf8")).toBe(before);

  await (await again.startWriting([score])).close();
  const { recipe } = await RunFolder.open({ directory: folder.directory });
  expect(recipe).toMatchObject({
    commands: ["touchstone demo --seed 3", "touchstone score"],
    software: ["1.0.0", "2.0.0"],
    models: ["lab:judge"],
  });
});

test("opening a run that is to be made writes nothing", async () => {
  const directory = join(await temporaryDirectory(), "run");
  await RunFolder.open({ directory, create: run });
  await expect(readdir(directory)).rejects.toThrow("ENOENT");
});

test("refuses a step with other parameters and leaves no lock", async () => {
  const folder = await newRun();
  await (await folder.startWriting([score])).close();
  const attempt = folder.startWriting([{ ...score, parameters: { metric: "b" } }]);
  await expect(attempt).rejects.toMatchObject({
    problems: ['metric of step score was "a" and is now "b"'],
  });
  expect(await readdir(folder.directory)).toEqual(["run.json", "seals"]);
});

test("no step of a recipe may point out of the folder", async () => {
  const folder = await newRun();
  const path = join(folder.directory, "run.json");
  const recipe = { ...folder.recipe, steps: [{ ...score, name: "../../outside" }] };
  await writeFile(path, JSON.stringify(recipe));
  await expect(RunFolder.open({ directory: folder.directory })).rejects.toThrow(InputError);
});

test("records come in plan order once a step is compacted, and before that as they came", async () => {
  const folder = await newRun();
  const writer = await folder.startWriting([score]);
  const stored = await writer.openStep("score");
  for (const text of ["c", "a", "b"]) await stored.append([scoreRecord(text)]);
  expect(await texts(folder)).toEqual(["c 1 done", "a 1 done", "b 1 done"]);
  await stored.plan(["a", "b", "c"].map(keyOf));
  await stored.finish();
  await writer.close();
  expect(await texts(folder)).toEqual(["a 1 done", "b 1 done", "c 1 done"]);
  expect(await readdir(join(folder.directory, "records"))).toEqual(["01-score.jsonl"]);
  expect(await texts(folder.without(["score"]))).toEqual([]);
});

test("the latest attempt counts, wherever it stands", async () => {
  const folder = await newRun();
  const records = join(folder.directory, "records");
  await (await folder.startWriting([score])).close();
  await mkdir(records);
  const lines = (...all: RecordOf<"score">[]) =>
    all.map((one) => `${JSON.stringify(one)}\n`).join("");
  await writeFile(join(records, "01-score.jsonl"), lines(unscored("a", 1), scoreRecord("b")));
  await writeFile(join(records, "01-score.first.jsonl"), lines(unscored("a", 2), scoreRecord("c")));
  await writeFile(
    join(records, "01-score.second.jsonl"),
    lines(scoreRecord("a", { attempt: 3 }), scoreRecord("b")),
  );
  expect(await texts(folder)).toEqual(["a 3 done", "b 1 done", "c 1 done"]);
});

test("records the plan no longer has are handed over before they go", async () => {
  const folder = await newRun();
  const writer = await folder.startWriting([score]);
  const stored = await writer.openStep("score");
  await stored.append(["a", "b"].map((text) => scoreRecord(text)));
  await stored.plan([keyOf("b")]);
  await stored.finish();
  await writer.close();
  const aside: unknown[] = [];
  for await (const entry of folder.trace()) aside.push(entry);
  expect(aside).toEqual([{ kind: "unplanned", record: scoreRecord("a") }]);
  expect(await texts(folder)).toEqual(["b 1 done"]);
  expect(await readdir(join(folder.directory, "records"))).toEqual(["01-score.jsonl"]);
});

test("segments of several processes, as version 0.2 left them, are put in order", async () => {
  const folder = await newRun();
  const records = join(folder.directory, "records");
  await (await folder.startWriting([score])).close();
  await mkdir(records);
  for (const [owner, text] of [
    ["first", "b"],
    ["second", "a"],
  ]) {
    const line = `${JSON.stringify(scoreRecord(text ?? ""))}\n`;
    await writeFile(join(records, `01-score.${owner}.jsonl`), line);
  }
  const writer = await folder.startWriting([score]);
  const stored = await writer.openStep("score");
  await stored.plan(["a", "b", "c"].map(keyOf));
  expect(stored.wanted).toBe(1);
  await stored.append([scoreRecord("c")]);
  await stored.finish();
  await writer.close();
  expect(await texts(folder)).toEqual(["a 1 done", "b 1 done", "c 1 done"]);
  expect(await readdir(records)).toEqual(["01-score.jsonl"]);
});

test("one process at a time writes to a run: a second one is told who does, and may go on after", async () => {
  const folder = await newRun();
  const living = await folder.startWriting([score]);
  const second = RunFolder.open({ directory: folder.directory, create: run });
  await expect((await second).startWriting([score])).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(`process ${process.pid} of ${hostname()}`),
  });
  expect(await folder.workers()).toHaveLength(1);
  await living.close();
  const next = await (await second).startWriting([score]);
  expect(await folder.workers()).toHaveLength(1);
  await next.close();
  expect(await folder.workers()).toEqual([]);
});

test("a run that another machine's process holds is taken over by who knows that it is gone", async () => {
  const folder = await newRun();
  await mkdir(join(folder.directory, "work"));
  const elsewhere = { host: "elsewhere", process: 1 };
  await writeFile(join(folder.directory, "work/0.json"), JSON.stringify(elsewhere));
  await expect(folder.startWriting([score])).rejects.toMatchObject({
    hint: expect.stringContaining("--take-over"),
  });
  await takeOverRun(folder.directory);
  await (await folder.startWriting([score])).close();
});

test("the next writer clears away what stopped processes left half-written", async () => {
  const folder = await newRun();
  const living = await folder.startWriting([score]);
  const [{ id = "" } = {}] = await folder.workers();
  const leave = async (path: string) => {
    await mkdir(join(folder.directory, path, ".."), { recursive: true });
    await writeFile(join(folder.directory, path), "{");
  };
  for (const owner of [id, "deadbeef"]) {
    await leave(`records/.touchstone-${owner}-01-score.jsonl.0`);
    await leave(`blobs/ab/.touchstone-${owner}-abcd.png.0`);
    await leave(`truth/cd/.touchstone-${owner}-cdef.json.0`);
    await leave(`.touchstone-${owner}-run.json.0`);
  }
  await leave("work/deadbeef.json");
  await leave("work/deadbeef.claim.01-score.0");
  await living.close();
  await (await folder.startWriting([score])).close();
  const left = (await readdir(folder.directory, { recursive: true })).filter((name) =>
    /touchstone-|deadbeef/.test(name),
  );
  expect(left).toEqual([]);
  expect(await readdir(folder.directory)).toContain("run.json");
});

test("a broken record is named by file and line", async () => {
  const folder = await newRun();
  await (await folder.startWriting([score])).close();
  const path = join(folder.directory, "records/01-score.jsonl");
  await mkdir(join(folder.directory, "records"));
  const broken = { ...scoreRecord("b"), value: "high" };
  await writeFile(path, `${JSON.stringify(scoreRecord("a"))}\n${JSON.stringify(broken)}\n`);
  const attempt = texts(folder);
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow("whose value does not fit: Invalid input: expected number");
  await expect(attempt).rejects.toThrow(`(in ${path}, line 2)`);
  const wayOut = "Remove the file and give the command again: what it held is collected anew.";
  await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining(wayOut) });

  await writeFile(path, '{"schema":\n');
  const torn = texts(folder);
  await expect(torn).rejects.toThrow(`(in ${path}, line 1)`);
  await expect(torn).rejects.toMatchObject({ hint: expect.stringContaining(wayOut) });
  await rm(path);
  expect(await texts(folder)).toEqual([]);
});

test("finds records by the beginning of their key", async () => {
  const folder = await newRun();
  const writer = await folder.startWriting([score]);
  const stored = await writer.openStep("score");
  await stored.append(["a", "b"].map((text) => scoreRecord(text)));
  await stored.close();
  await writer.close();
  const found = async (start: string) => {
    const records: AnyRecord[] = [];
    for await (const one of folder.withKey(start)) records.push(one);
    return records;
  };
  expect(await found(keyOf("a").slice(0, 8))).toEqual([scoreRecord("a")]);
  expect(await found("")).toHaveLength(2);
});

test("the trace is read back in the order of the sessions", async () => {
  const folder = await newRun();
  for (const session of [1, 2]) {
    const writer = await folder.startWriting([]);
    await writer.trace({ session });
    await writer.close();
  }
  const found: unknown[] = [];
  for await (const entry of folder.trace()) found.push(entry);
  expect(found).toEqual([{ session: 1 }, { session: 2 }]);
});

test("truth is kept apart, by the key of the image", async () => {
  const { truth } = await newRun();
  const image = keyOf("image");
  expect(await truth.read(image)).toBeUndefined();
  await truth.write(image, { subject: "fox", count: 2 });
  expect(await truth.read(image)).toEqual({ subject: "fox", count: 2 });
  await writeFile(join(truth.directory, image.slice(0, 2), `${image}.json`), "{");
  await expect(truth.read(image)).rejects.toThrow(InputError);
});
