import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { IncompleteError, InputError, TouchstoneError } from "../core/errors.js";
import { type Hash, type Key, keyOf } from "../core/keys.js";
import type { Metric } from "../core/metric.js";
import type { RecordStore } from "../core/record-store.js";
import type { About, Outcome, RecordOf, RecordType } from "../core/records.js";
import type { AnyStep, RunEvent, Step, StepContext } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { fileError } from "../files/file-error.js";
import { openStore } from "../files/open-store.js";
import { Budget } from "./budget.js";
import { type RunOptions, runSteps } from "./run-steps.js";

type Perform = (about: About<"score">, context: StepContext) => Promise<Outcome<"score">>;

/** Plans one score for each text; performs by `perform`, and keeps what it was asked. */
function scoring(
  texts: readonly string[],
  perform: Perform = async ({ text }) => ({ value: text.length }),
  more: Partial<Step<"score">> = {},
): Step<"score"> & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    name: "score",
    version: 1,
    produces: "score",
    parameters: {},
    async *plan() {
      for (const text of texts) yield aboutOf(text);
    },
    perform: (about, context) => {
      asked.push(about.text);
      return perform(about, context);
    },
    ...more,
  };
}

const aboutOf = (text: string): About<"score"> => ({
  of: keyOf("image"),
  image: "0".repeat(64) as Hash,
  text,
  metric: "length",
  metricVersion: 1,
  statistic: "letters",
  model: "lab:ruler",
  range: [0, 100],
  direction: "higher",
  trial: 0,
});

async function openRun(directory?: string): Promise<RecordStore> {
  return openStore(directory ?? join(await temporaryDirectory(), "run"), {
    create: { command: "touchstone demo --run DIR", seed: 0, software: "1.0.0" },
  });
}

const run = (folder: RecordStore, steps: readonly AnyStep[], more: Partial<RunOptions> = {}) =>
  runSteps({
    run: folder,
    steps,
    openPicture: () => Promise.reject(new Error("Expected no picture to be opened")),
    ...more,
  });

async function all<Type extends RecordType>(folder: RecordStore, type: Type) {
  const found: RecordOf<Type>[] = [];
  for await (const record of folder.ofType(type)) found.push(record);
  return found;
}

/** Every file of `records/` with its bytes. */
async function recordFiles({ place: directory }: RecordStore): Promise<Record<string, string>> {
  const names = (await readdir(join(directory, "records"))).sort();
  const contents = names.map((name) => readFile(join(directory, "records", name), "utf8"));
  return Object.fromEntries((await Promise.all(contents)).map((text, at) => [names[at], text]));
}

/** Answers that come when and in the order in which the test lets them. */
function held() {
  const waiting = new Map<string, () => void>();
  let told: (() => void) | undefined;
  return {
    perform: ((about) =>
      new Promise((resolve) => {
        waiting.set(about.text, () => resolve({ value: about.text.length }));
        told?.();
      })) satisfies Perform,
    /** Resolves when `count` tasks are in hand. */
    async inHand(count: number) {
      while (waiting.size < count) {
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
    },
    release(text: string) {
      waiting.get(text)?.();
      waiting.delete(text);
    },
  };
}

const many = Array.from({ length: 60 }, (_, at) => `text ${at}`);
const texts = ["a", "bb", "ccc", "dddd", "eeeee"];

test("the same run gives the same bytes, whatever the concurrency and the order of answers", async () => {
  const plain = await openRun();
  await run(plain, [scoring(texts)], { concurrency: 1 });
  const expected = await recordFiles(plain);
  expect(Object.keys(expected)).toEqual(["01-score.jsonl"]);
  expect(expected["01-score.jsonl"]?.split("\n")).toHaveLength(texts.length + 1);

  const backwards = await openRun();
  const { perform, inHand, release } = held();
  const events: string[] = [];
  const running = run(backwards, [scoring(texts, perform)], {
    concurrency: 5,
    onEvent: (event) => {
      if (event.kind === "record" && event.record.type === "score") events.push(event.record.text);
    },
  });
  await inHand(5);
  for (const text of texts.toReversed()) {
    release(text);
    while (!events.includes(text)) await new Promise((resolve) => setImmediate(resolve));
  }
  await running;
  expect(events).toEqual(texts.toReversed());
  expect(await recordFiles(backwards)).toEqual(expected);
});

test("a run alone is told of its own records only, whatever the concurrency", async () => {
  const kinds: string[] = [];
  const onEvent = ({ kind }: RunEvent) => void kinds.push(kind);
  await run(await openRun(), [scoring(many)], { concurrency: 7, onEvent });
  expect(kinds).toEqual(["step-planned", ...many.map(() => "record"), "step-finished"]);
});

test("a second run asks for nothing and changes no byte", async () => {
  const folder = await openRun();
  await run(folder, [scoring(texts)]);
  const before = await recordFiles(folder);
  const again = scoring(texts);
  const [summary] = await run(await openRun(folder.place), [again]);
  expect(again.asked).toEqual([]);
  expect(summary).toMatchObject({ planned: 5, reused: 5, done: 5, unscored: {} });
  expect(await recordFiles(folder)).toEqual(before);
});

test("a later step plans from what an earlier one collected, in its order", async () => {
  const folder = await openRun();
  const first = scoring(["ccc", "a", "bb"]);
  const second = scoring([], undefined, {
    name: "again",
    async *plan(records) {
      for await (const { text } of records.ofType("score")) yield aboutOf(`${text}!`);
    },
  });
  await run(folder, [first, second], { concurrency: 3 });
  const found = (await all(folder, "score")).map(({ step, text }) => `${step} ${text}`);
  expect(found).toEqual([
    "score@1 ccc",
    "score@1 a",
    "score@1 bb",
    "again@1 ccc!",
    "again@1 a!",
    "again@1 bb!",
  ]);
});

test("what a step left half-finished does not sway what it plans", async () => {
  const folder = await openRun();
  const growing = (perform?: Perform) =>
    scoring([], perform, {
      async *plan(records) {
        yield aboutOf("a");
        yield aboutOf("b");
        for await (const { text } of records.ofType("score")) yield aboutOf(`${text}?`);
      },
    });
  const failing = growing(async ({ text }) => {
    if (text === "b") throw new Error("broken");
    return { value: 1 };
  });
  await expect(run(folder, [failing], { concurrency: 1 })).rejects.toThrow("broken");
  await run(folder, [growing()]);
  await run(folder, [growing()]);
  expect((await all(folder, "score")).map(({ text }) => text)).toEqual(["a", "b"]);
});

test("a fault stops the run, names step and task, and keeps what was finished", async () => {
  const folder = await openRun();
  const broken = scoring(texts, async ({ text }) => {
    if (text === "ccc") throw new RangeError("the ruler broke");
    return { value: text.length };
  });
  const attempt = run(folder, [broken], { concurrency: 1 });
  await expect(attempt).rejects.not.toBeInstanceOf(TouchstoneError);
  await expect(attempt).rejects.toThrow(/score@1 failed on task [0-9a-f]{32} \{.*"text":"ccc"/);
  await expect(attempt).rejects.toThrow("the ruler broke");
  expect(await readdir(folder.place)).not.toContain("work");

  const mended = scoring(texts);
  const [summary] = await run(folder, [mended]);
  expect(mended.asked).toEqual(["ccc", "dddd", "eeeee"]);
  expect(summary).toMatchObject({ planned: 5, reused: 2, done: 5 });
});

test("wrong input met in a task stays wrong input", async () => {
  const step = scoring(["a"], () =>
    Promise.reject(new InputError("Expected a tape", { hint: "Buy one", problems: ["no tape"] })),
  );
  const attempt = run(await openRun(), [step]);
  await expect(attempt).rejects.toBeInstanceOf(InputError);
  await expect(attempt).rejects.toMatchObject({
    message: expect.stringMatching(/^Expected a tape \(score@1 failed on task /),
    hint: "Buy one",
    problems: ["no tape"],
  });
});

test("a plan that fails is named too", async () => {
  const step = scoring([], undefined, {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to say
    async *plan() {
      throw new Error("no idea");
    },
  });
  await expect(run(await openRun(), [step])).rejects.toThrow(
    "score failed while it planned: no idea",
  );
});

test("no answer is unscored; only what may be asked again is, as the next attempt", async () => {
  const folder = await openRun();
  const moody = scoring(["a", "timeout", "refused", "NaN"], async ({ text }) => {
    if (text === "timeout") throw new NoAnswer("timeout", "30 s went by");
    if (text === "refused") throw new NoAnswer("refused", "it would not say");
    return { value: text === "NaN" ? Number.NaN : 1 };
  });
  const [first] = await run(folder, [moody]);
  expect(first).toMatchObject({
    planned: 4,
    reused: 0,
    done: 1,
    unscored: { timeout: 1, refused: 1, unparsable: 1 },
  });
  expect(await recordFiles(folder).then((files) => files["01-score.jsonl"])).not.toMatch("null");

  const answering = scoring(["a", "timeout", "refused", "NaN"]);
  const [second] = await run(folder, [answering]);
  expect(answering.asked).toEqual(["timeout"]);
  expect(second).toMatchObject({
    planned: 4,
    reused: 3,
    done: 2,
    unscored: { refused: 1, unparsable: 1 },
  });
  const records = await all(folder, "score");
  expect(records.map(({ text, attempt, status }) => `${text} ${attempt} ${status}`)).toEqual([
    "a 1 done",
    "timeout 1 done",
    "refused 1 unscored",
    "NaN 1 unscored",
  ]);
});

test("a key planned twice is asked once, and counted", async () => {
  const step = scoring(["a", "b", "a", "a"]);
  const [summary] = await run(await openRun(), [step]);
  expect(step.asked).toEqual(["a", "b"]);
  expect(summary).toMatchObject({ planned: 2, duplicates: 2, done: 2 });
});

test("an interruption takes nothing new, keeps what was in hand, and names the way on", async () => {
  const folder = await openRun();
  const stop = new AbortController();
  const { perform, inHand, release } = held();
  const step = scoring(texts, perform);
  const running = run(folder, [step], { concurrency: 2, signal: stop.signal });
  const stopped = expect(running).rejects.toMatchObject({
    message: expect.stringContaining("stopped in step score, with 2 of 5 records"),
    hint: "Go on with: touchstone demo --run DIR",
  });
  await inHand(2);
  stop.abort();
  release("a");
  release("bb");
  await stopped;
  await expect(running).rejects.toBeInstanceOf(IncompleteError);
  expect((await all(folder, "score")).map(({ text }) => text)).toEqual(["a", "bb"]);

  const rest = scoring(texts);
  await run(folder, [rest]);
  expect(rest.asked).toEqual(["ccc", "dddd", "eeeee"]);
});

test("cancelling loses what is in hand, and it is asked for again as if for the first time", async () => {
  const folder = await openRun();
  const cancel = new AbortController();
  const step = scoring(["a", "b"], async ({ text }, { signal }) => {
    if (text === "a") return { value: 1 };
    cancel.abort();
    signal.throwIfAborted();
    throw new NoAnswer("timeout", "not reached");
  });
  const attempt = run(folder, [step], { concurrency: 1, cancel: cancel.signal });
  await expect(attempt).rejects.toBeInstanceOf(IncompleteError);
  await run(folder, [scoring(["a", "b"])]);
  expect((await all(folder, "score")).map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test("an interruption before a step begins, or while it plans, asks for nothing", async () => {
  const stop = new AbortController();
  const step = scoring([], undefined, {
    async *plan() {
      yield aboutOf("a");
      stop.abort();
      yield aboutOf("b");
    },
  });
  const folder = await openRun();
  await expect(run(folder, [step], { signal: stop.signal })).rejects.toThrow(IncompleteError);
  await expect(run(folder, [scoring(["a"])], { signal: stop.signal })).rejects.toThrow(
    IncompleteError,
  );
  expect(step.asked).toEqual([]);
});

test("tells of the plan, of each record with its cost, and of the end", async () => {
  const folder = await openRun();
  await run(folder, [scoring(["a"])]);
  const events: RunEvent[] = [];
  const step = scoring(["a", "b"], async (_about, context) => {
    context.trace({ kind: "call", cost: 0.25, tokens: 7 });
    context.trace({ kind: "call", cost: 0.5, key: "not this one" });
    return { value: 1 };
  });
  const [summary] = await run(folder, [step], { onEvent: (event) => events.push(event) });
  expect(events).toMatchObject([
    { kind: "step-planned", step: "score", total: 2, reused: 1, reusedUnscored: {} },
    { kind: "record", step: "score", record: { text: "b", status: "done" }, cost: 0.75 },
    { kind: "step-finished", step: "score" },
  ]);
  expect(summary?.cost).toBe(0.75);
});

test("time, cost and replies stand in the trace under the record's key, never in the record", async () => {
  const folder = await openRun();
  let milliseconds = 0;
  const now = () => new Date(Date.UTC(2030, 0, 1) + 500 * milliseconds++);
  const step = scoring(["a"], async (_about, { trace }) => {
    trace({ kind: "call", reply: "1", key: "forged" });
    return { value: 1 };
  });
  await run(folder, [step], { now });
  const [record] = await all(folder, "score");
  const entries: unknown[] = [];
  for await (const entry of folder.trace()) entries.push(entry);
  expect(entries).toMatchObject([
    { kind: "planned", step: "score", planned: 1, reused: 0 },
    { key: record?.key, step: "score@1", attempt: 1, kind: "call", reply: "1" },
    { key: record?.key, kind: "asked", status: "done", seconds: 0.5 },
  ]);
  expect(JSON.stringify(record)).not.toContain("2030");
});

test("a step stores and opens images and truth in the run", async () => {
  const folder = await openRun();
  const seen: unknown[] = [];
  const step = scoring(["a"], async (_about, context) => {
    const image = await context.writeBlob(new Uint8Array([1, 2]), "image/png");
    await context.writeTruth({ subject: "fox" });
    const me = keyOf(JSON.parse(JSON.stringify({ ...aboutOf("a"), step: "score@1" })));
    seen.push(await context.readTruth(me), (await context.openPicture(image)).width);
    return { value: 1 };
  });
  await run(folder, [step], {
    openPicture: async (bytes) => ({
      hash: "" as Hash,
      bytes,
      mediaType: "image/png",
      width: bytes.length,
      height: 1,
      pixels: () => Promise.reject(new Error("not asked for")),
    }),
  });
  expect(seen).toEqual([{ subject: "fox" }, 2]);
  expect((await readdir(folder.place)).sort()).toEqual([
    "blobs",
    "records",
    "run.json",
    "seals",
    "trace",
    "truth",
  ]);
});

test("refuses two steps of one name, and a step that has changed since", async () => {
  const folder = await openRun();
  await expect(run(folder, [scoring(["a"]), scoring(["b"])])).rejects.toThrow(RangeError);
  await run(folder, [scoring(["a"])]);
  const raised = scoring(["a"], undefined, { version: 2 });
  await expect(run(folder, [raised])).rejects.toMatchObject({
    problems: ["step score was version 1 and is now 2"],
  });
  expect(raised.asked).toEqual([]);
});

test("a second one on the same run is refused before it asks anything", async () => {
  const folder = await openRun();
  const { perform, inHand, release } = held();
  const first = run(folder, [scoring(["a"], perform)]);
  await inHand(1);
  const step = scoring(["a", "bb"]);
  await expect(run(await openRun(folder.place), [step])).rejects.toBeInstanceOf(InputError);
  expect(step.asked).toEqual([]);
  release("a");
  await first;
  expect(await run(await openRun(folder.place), [step])).toMatchObject([{ reused: 1, done: 2 }]);
});

test("a plan that differs when it is gone over again is a fault, not an endless search", async () => {
  let round = 0;
  const step = scoring([], undefined, {
    async *plan() {
      yield aboutOf(`round ${round++}`);
    },
  });
  await expect(run(await openRun(), [step])).rejects.toThrow("planned other tasks");
});

test("a provider that is down stops the run as incomplete, with the command that goes on", async () => {
  const step = scoring(texts, async () => {
    throw new IncompleteError("Can't reach it", { hint: "Is it running?" });
  });
  const attempt = run(await openRun(), [step], { resume: "touchstone run resume DIR" });
  await expect(attempt).rejects.toMatchObject({
    code: "incomplete",
    message: "Can't reach it",
    hint: "Is it running?\nGo on with: touchstone run resume DIR",
  });
});

test("a full disk stops the run as incomplete, and it goes on when there is room", async () => {
  const folder = await openRun();
  const full = scoring(texts, async ({ text }) => {
    if (text === "ccc") {
      const error = Object.assign(new Error("no space"), { code: "ENOSPC" });
      throw fileError(error, "write", "records/01-score.jsonl");
    }
    return { value: text.length };
  });
  const attempt = run(folder, [full], { concurrency: 1, resume: "touchstone run resume DIR" });
  await expect(attempt).rejects.toBeInstanceOf(IncompleteError);
  await expect(attempt).rejects.toMatchObject({
    message: expect.stringContaining("the disk is full"),
    hint: expect.stringContaining("then go on with: touchstone run resume DIR"),
  });
  const rest = scoring(texts);
  await run(folder, [rest]);
  expect(rest.asked).toEqual(["ccc", "dddd", "eeeee"]);
});

test("at a limit nothing more is asked, what was not asked has no record, and the rest follows", async () => {
  const folder = await openRun();
  const step = scoring(texts);
  const attempt = run(folder, [step], { budget: new Budget({ calls: 2 }), concurrency: 4 });
  await expect(attempt).rejects.toBeInstanceOf(IncompleteError);
  await expect(attempt).rejects.toThrow("met its limit of 2 calls in step score, with 2 of 5");
  expect((await all(folder, "score")).map(({ text, status }) => `${text} ${status}`)).toEqual([
    "a done",
    "bb done",
  ]);
  const rest = scoring(texts);
  await run(folder, [rest], { budget: new Budget({ calls: 3 }) });
  expect(rest.asked).toEqual(["ccc", "dddd", "eeeee"]);
});

test("a record of a step that a later plan leaves out goes to the trace, not astray", async () => {
  const folder = await openRun();
  await run(folder, [scoring(["a", "b"])]);
  await run(folder, [scoring(["b"])]);
  expect((await all(folder, "score")).map(({ text }) => text)).toEqual(["b"]);
  const aside: unknown[] = [];
  for await (const entry of folder.trace()) {
    if (typeof entry === "object" && entry !== null && "record" in entry) aside.push(entry.record);
  }
  expect(aside).toMatchObject([{ text: "a", value: 1 }]);
});

/** A run that was killed: as `folder` is now, with the process that worked on it no longer alive. */
async function killedCopy(folder: RecordStore): Promise<RecordStore> {
  const directory = join(await temporaryDirectory(), "run");
  await cp(folder.place, directory, { recursive: true });
  const work = join(directory, "work");
  for (const name of await readdir(work).catch(() => [])) {
    if (!name.endsWith(".json")) continue;
    await writeFile(join(work, name), JSON.stringify({ host: hostname(), process: deadProcess }));
  }
  return openRun(directory);
}
const deadProcess = spawnSync(process.execPath, ["--version"]).pid;

test("killed after any record, a run goes on with what is missing and ends in the same bytes", async () => {
  const folder = await openRun();
  const steps = (taken: (asked: number) => Promise<void> = async () => {}) => {
    let asked = 0;
    const perform: Perform = async ({ text }) => {
      await taken(asked++);
      return { value: text.length };
    };
    return [scoring(texts, perform), scoring(["x", "y"], perform, { name: "again" })] as const;
  };
  const killed: { folder: RecordStore; finished: number }[] = [];
  const copying = steps(async (finished) => {
    killed.push({ folder: await killedCopy(folder), finished });
  });
  await run(folder, copying, { concurrency: 1 });
  const whole = await recordFiles(folder);
  expect(killed).toHaveLength(7);
  for (const { folder: copy, finished } of killed) {
    const rest = steps();
    await run(copy, rest, { concurrency: 2 });
    expect(rest.flatMap((step) => step.asked)).toEqual([...texts, "x", "y"].slice(finished));
    expect(await recordFiles(copy)).toEqual(whole);
  }
});

test("killed between the renaming and the removal of the segment, a run counts nothing twice", async () => {
  const folder = await openRun();
  await run(folder, [scoring(texts)]);
  const whole = await recordFiles(folder);
  const double = await killedCopy(folder);
  const shuffled = (whole["01-score.jsonl"] ?? "").trimEnd().split("\n").toReversed();
  await writeFile(join(double.place, "records/01-score.killed.jsonl"), `${shuffled.join("\n")}\n`);
  expect(await all(double, "score")).toHaveLength(texts.length);
  const step = scoring(texts);
  await run(double, [step]);
  expect(step.asked).toEqual([]);
  expect(await recordFiles(double)).toEqual(whole);
});

test("cut off at any byte, a segment loses at most its last record, which is asked again", async () => {
  const two = ["a", "bb"];
  const source = await openRun();
  await run(source, [scoring(two)]);
  const whole = await recordFiles(source);
  const bytes = Buffer.from(whole["01-score.jsonl"] ?? "");
  const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at] : []));
  const folder = await openRun();
  await run(folder, [scoring([])]);
  const records = join(folder.place, "records");
  await mkdir(records, { recursive: true });
  for (let length = 0; length <= bytes.length; length++) {
    await writeFile(join(records, "01-score.killed.jsonl"), bytes.subarray(0, length));
    // A record is whole from its closing brace on; the line end may be missing.
    const left = ends.filter((end) => end <= length).length;
    expect((await all(folder, "score")).map(({ text }) => text)).toEqual(two.slice(0, left));
    // To go on from every byte would take minutes of disk: from around each line's end will do.
    if (!ends.some((end) => Math.abs(end - length) <= 1) && length % 200 !== 0) continue;
    const step = scoring(two);
    await run(folder, [step], { concurrency: 1 });
    expect(step.asked).toEqual(two.slice(left));
    expect(await recordFiles(folder)).toEqual(whole);
    await rm(join(records, "01-score.jsonl"));
  }
});

test("keys depend on the step, its version and what it is about, and on nothing else", async () => {
  const keys = async (step: Step<"score">): Promise<Key[]> => {
    const folder = await openRun();
    await run(folder, [step]);
    return (await all(folder, "score")).map(({ key }) => key);
  };
  const plain = await keys(scoring(["a"]));
  expect(await keys(scoring(["a"], async () => ({ value: 9 })))).toEqual(plain);
  expect(await keys(scoring(["b"]))).not.toEqual(plain);
  expect(await keys(scoring(["a"], undefined, { version: 2 }))).not.toEqual(plain);
  expect(await keys(scoring(["a"], undefined, { name: "other" }))).not.toEqual(plain);
});

test("a step of which nothing comes ends after 20 in vain, and keeps them", async () => {
  const folder = await openRun();
  const mute = scoring(many, async (_, { trace }) => {
    trace({ kind: "model-call", cached: false });
    throw new NoAnswer("unparsable", "Expected Yes or No but received nothing");
  });
  const attempt = run(folder, [mute], { concurrency: 1, resume: "touchstone run resume DIR" });
  await expect(attempt).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringContaining("Expected Yes or No but received nothing"),
    hint: expect.stringContaining("touchstone run resume DIR"),
  });
  expect(mute.asked).toHaveLength(20);
  expect(await all(folder, "score")).toHaveLength(20);
});

test("what is asked for anew and stopped goes on without an old answer, however it is gone on with", async () => {
  for (const beginsAnew of [true, false]) {
    const folder = await openRun();
    await run(folder, [scoring(texts)]);
    const anew = () => scoring(texts, async () => ({ value: 50 }));
    const stopped = anew();
    const budget = new Budget({ calls: 2 });
    await expect(
      run(folder, [stopped], { beginsAnew: true, budget, concurrency: 1 }),
    ).rejects.toThrow(IncompleteError);
    expect(stopped.asked).toHaveLength(2);
    const rest = anew();
    await run(folder, [rest], { beginsAnew });
    expect(rest.asked).toHaveLength(3);
    const values = (await all(folder, "score")).map((score) => "value" in score && score.value);
    expect(values).toEqual(texts.map(() => 50));
    // Once it is whole, it is begun anew again.
    const again = anew();
    await run(folder, [again], { beginsAnew });
    expect(again.asked).toHaveLength(beginsAnew ? 5 : 0);
  }
});

test("of a metric of one's own only an answer that took time is on the disk before more is asked", async () => {
  const metric: Metric = {
    name: "length",
    version: 1,
    statistic: "letters",
    model: "none",
    range: [0, 100],
    direction: "higher",
    score: async () => ({ value: 1 }),
  };
  const mostWaiting = async (tick: number) => {
    let [time, kept, most] = [0, 0, 0];
    const step = scoring(
      many,
      async () => {
        most = Math.max(most, step.asked.length - kept);
        return { value: 1 };
      },
      { asks: [], metric },
    );
    await run(await openRun(), [step], {
      concurrency: 4,
      now() {
        time += tick;
        return new Date(time);
      },
      onEvent: ({ kind }) => void (kind === "record" && kept++),
    });
    expect(kept).toBe(many.length);
    return most;
  };
  expect(await mostWaiting(1)).toBeLessThanOrEqual(4);
  expect(await mostWaiting(0)).toBeGreaterThan(30);
});
