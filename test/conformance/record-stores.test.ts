import { join } from "node:path";
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  record as recordOf,
  shuffledSubarray,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/core/errors.js";
import { type Key, keyOf } from "../../src/core/keys.js";
import type { DescribedStep, NewRun } from "../../src/core/recipe.js";
import type {
  RecordPosition,
  RecordStore,
  RunWriter,
  StepWriter,
} from "../../src/core/record-store.js";
import { type AnyRecord, anyRecord } from "../../src/core/records.js";
import { hasStore, openDocuments, openStore, storesIn } from "../../src/files/open-store.js";
import { edit, tear } from "../support/damaged-run.js";
import { scoreRecord, timedOut } from "../support/score-record.js";
import { OtherWorker } from "../support/store-worker.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const create: NewRun = { command: "touchstone demo --seed 3", seed: 3, software: "1.0.0" };
const score: DescribedStep = { name: "score", version: 1, produces: "score", parameters: {} };

type Ending = "done" | "refused" | "timeout";
const endings: Readonly<Record<Ending, object>> = {
  done: {},
  refused: { ...timedOut, reason: "refused", retryable: false },
  timeout: timedOut,
};

/** A record of the step, as a reader gets it. */
const record = (text: string, { attempt = 1, ending = "done" as Ending } = {}): AnyRecord =>
  scoreRecord(text, { attempt, ...endings[ending] });

const textOf = (one: AnyRecord) => ("text" in one ? String(one.text) : "");
const keysOf = (texts: readonly string[]): Key[] => texts.map((text) => keyOf(text));
const recordsOf = (texts: readonly string[]) => texts.map((text) => record(text));
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`);

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const textsOf = async (run: RecordStore) => (await all(run.ofStep("score"))).map(textOf);

interface AtWork {
  readonly writer: RunWriter;
  readonly step: StepWriter;
}

async function begin(run: RecordStore, steps = [score]): Promise<AtWork> {
  const writer = await run.startWriting(steps);
  return { writer, step: await writer.openStep("score") };
}

async function end({ writer, step }: AtWork): Promise<void> {
  await step.close();
  await writer.close();
}

const newPlace = async () => join(await temporaryDirectory(), "run");

describe("a run in a folder", () => {
  const newRun = async () => openStore(await newPlace(), { create });

  /** A finished run of these texts. */
  async function finished(texts: readonly string[]): Promise<RecordStore> {
    const run = await newRun();
    const work = await begin(run);
    await work.step.plan(keysOf(texts));
    await work.step.append(recordsOf(texts));
    await work.step.finish();
    await end(work);
    return run;
  }

  describe("its recipe", () => {
    test("is kept from the first writing on, grows, and is never contradicted", async () => {
      const place = await newPlace();
      await expect(openStore(place)).rejects.toThrow(InputError);
      const run = await openStore(place, { create });
      expect(await hasStore(place)).toBe(false);
      await (await run.startWriting([])).close();
      expect(await hasStore(place)).toBe(true);
      const other = { command: "touchstone score", seed: 3, software: "1.0.1" };
      const again = await openStore(place, { create: other });
      await (await again.startWriting([score])).close();
      const { recipe } = await openStore(place);
      expect(recipe).toMatchObject({
        seed: 3,
        commands: ["touchstone demo --seed 3", "touchstone score"],
        software: ["1.0.0", "1.0.1"],
        steps: [score],
      });
      await expect(openStore(place, { create: { ...create, seed: 4 } })).rejects.toMatchObject({
        problems: ["the seed was 3 and is now 4"],
      });
      const changed = { ...score, parameters: { metric: "b" } };
      await expect(again.startWriting([changed])).rejects.toThrow(InputError);
      expect((await openStore(place)).recipe).toEqual(recipe);
      expect(await (await openStore(place)).workers()).toEqual([]);
    });

    test("names no step that it has not", async () => {
      const writer = await (await newRun()).startWriting([score]);
      await expect(writer.openStep("other")).rejects.toThrow(RangeError);
      await writer.close();
    });
  });

  describe("its records", () => {
    test("come as they were appended, in the order of the plan once the step is finished", async () => {
      const run = await newRun();
      expect(await run.stateOf("score")).toBe("absent");
      const work = await begin(run);
      await work.step.append(recordsOf(["c", "a"]));
      await work.step.append(recordsOf(["b"]));
      expect(await run.stateOf("score")).toBe("begun");
      expect(await textsOf(run)).toEqual(["c", "a", "b"]);
      expect(await work.step.plan(keysOf(["a", "b", "a", "c"]))).toEqual([true, true, false, true]);
      expect(work.step).toMatchObject({ planned: 3, wanted: 0 });
      await work.step.finish();
      await end(work);
      expect(await run.stateOf("score")).toBe("finished");
      expect(await all(run.ofStep("score"))).toEqual(recordsOf(["a", "b", "c"]));
      expect((await all(run.ofType("score"))).map(({ text }) => text)).toEqual(["a", "b", "c"]);
      expect(await all(run.ofType("image"))).toEqual([]);
      expect(await all(run.without(["score"]).ofType("score"))).toEqual([]);
      const start = keyOf("b").slice(0, 9);
      expect((await all(run.withKey(start))).map(textOf)).toEqual(["b"]);
      expect(await all(run.withKey(""))).toHaveLength(3);
    });

    test("of one key the latest attempt counts, and of equal attempts the answer, however they came", async () => {
      const appended = recordOf({
        session: integer({ min: 0, max: 2 }),
        text: constantFrom("a", "b", "c", "d"),
        attempt: integer({ min: 1, max: 3 }),
        ending: constantFrom<Ending>("done", "timeout"),
      });
      const plan = shuffledSubarray(["a", "b", "c", "d"], { minLength: 4 });
      await assert(
        asyncProperty(array(appended, { maxLength: 12 }), plan, async (appends, order) => {
          const run = await newRun();
          let last = await begin(run);
          let lastSession = 0;
          const expected = new Map<string, AnyRecord>();
          for (const { session, text, attempt, ending } of appends) {
            const one = record(text, { attempt, ending });
            if (session !== lastSession) {
              await end(last);
              last = await begin(run);
              lastSession = session;
            }
            await last.step.append([one]);
            const before = expected.get(text);
            const isNewer =
              before === undefined ||
              one.attempt > before.attempt ||
              (one.attempt === before.attempt && before.status === "unscored");
            if (isNewer) expected.set(text, one);
          }
          const byText = (found: readonly AnyRecord[]) =>
            new Map(found.map((one) => [textOf(one), one]));
          expect(byText(await all(run.ofStep("score")))).toEqual(expected);

          await last.step.plan(keysOf(order));
          const missing = order.filter((text) => {
            const one = expected.get(text);
            return one === undefined || (one.status === "unscored" && one.retryable);
          });
          expect(last.step.wanted).toBe(missing.length);
          for (const text of missing) {
            const attempt = (expected.get(text)?.attempt ?? 0) + 1;
            const one = record(text, { attempt });
            await last.step.append([one]);
            expected.set(text, one);
          }
          await last.step.finish();
          await end(last);
          // How often it was tried is no part of a finished record.
          expect(await all(run.ofStep("score"))).toEqual(
            order.map((text) => ({ ...expected.get(text), attempt: 1 })),
          );
        }),
        { numRuns: 12 },
      );
    });

    test("a retryable one is wanted again, with its attempt told; another is not", async () => {
      const run = await newRun();
      const work = await begin(run);
      await work.step.append([
        record("late", { attempt: 2, ending: "timeout" }),
        record("no", { ending: "refused" }),
        record("yes"),
      ]);
      const texts = ["late", "no", "yes", "missing"];
      await work.step.plan(keysOf(texts));
      expect(await work.step.look(keysOf([...texts, "unplanned"]))).toEqual([
        { isWanted: true, attempt: 2 },
        { isWanted: false, attempt: 1 },
        { isWanted: false, attempt: 1 },
        { isWanted: true, attempt: 0 },
        { isWanted: false, attempt: 0 },
      ]);
      expect(await work.step.count()).toEqual([
        { reason: "timeout", retryable: true, count: 1 },
        { reason: "refused", retryable: false, count: 1 },
        { reason: undefined, retryable: false, count: 1 },
      ]);
      await expect(work.step.finish()).rejects.toThrow(RangeError);
      await work.step.append([
        record("late", { attempt: 3, ending: "timeout" }),
        record("missing"),
      ]);
      expect(work.step.wanted).toBe(0);
      await work.step.finish();
      await end(work);
      const again = await begin(run);
      await again.step.plan(keysOf(texts));
      expect(again.step.wanted).toBe(1);
      await end(again);
    });

    test("what is forgotten is wanted again, and replaced", async () => {
      const run = await finished(["a", "b"]);
      const work = await begin(run);
      await work.step.forget(keysOf(["a"]));
      await work.step.plan(keysOf(["a", "b"]));
      expect(await work.step.look(keysOf(["a", "b"]))).toEqual([
        { isWanted: true, attempt: 0 },
        { isWanted: false, attempt: 1 },
      ]);
      await work.step.append([record("a")]);
      await work.step.finish();
      await end(work);
      expect(await textsOf(run)).toEqual(["a", "b"]);
    });

    test("those that no plan has are left out, and stand in the trace", async () => {
      const run = await newRun();
      const work = await begin(run);
      await work.step.append(recordsOf(["stray", "a"]));
      await work.step.plan(keysOf(["a"]));
      await work.step.finish();
      await end(work);
      expect(await textsOf(run)).toEqual(["a"]);
      expect(await all(run.trace())).toContainEqual({ kind: "unplanned", record: record("stray") });
    });
  });

  describe("one writer at a time", () => {
    test("another is refused by the name of the first, until that ends", async () => {
      const run = await newRun();
      const work = await begin(run);
      const other = await openStore(run.place, { create });
      await expect(other.startWriting([score])).rejects.toThrow(InputError);
      await expect(other.startWriting([score])).rejects.toThrow(`process ${process.pid}`);
      await end(work);
      await end(await begin(other));
      expect(await run.workers()).toEqual([]);
    });

    test("one that is killed (SIGKILL) is in nobody's way, and what it had appended stands", async () => {
      const run = await newRun();
      await end(await begin(run));
      const texts = numbered(5);
      const other = await OtherWorker.start(run.place, [score]);
      await other.ask({ append: recordsOf(texts.slice(0, 3)) });
      expect(await run.workers()).toHaveLength(1);
      await expect(begin(run)).rejects.toThrow(InputError);
      await other.kill();
      expect(await run.workers()).toEqual([]);
      const work = await begin(run);
      await work.step.plan(keysOf(texts));
      expect(work.step.wanted).toBe(2);
      await work.step.append(recordsOf(texts.slice(3)));
      await work.step.finish();
      await end(work);
      expect(await all(run.ofStep("score"))).toEqual(recordsOf(texts));
    });

    test("a record that a killed one left half-written is wanted again; the others stand", async () => {
      const run = await newRun();
      const texts = numbered(4);
      await end(await begin(run));
      const other = await OtherWorker.start(run.place, [score]);
      await other.ask({ append: recordsOf(texts.slice(0, 3)) });
      await other.kill();
      await tear(run.place, "score");
      expect(await textsOf(run)).toEqual(texts.slice(0, 2));
      const work = await begin(run);
      await work.step.plan(keysOf(texts));
      expect((await work.step.look(keysOf(texts))).map(({ isWanted }) => isWanted)).toEqual([
        false,
        false,
        true,
        true,
      ]);
      await work.step.append(recordsOf(texts.slice(2)));
      await work.step.finish();
      await end(work);
      expect(await all(run.ofStep("score"))).toEqual(recordsOf(texts));
      expect((await run.check()).problems).toEqual([]);
    });

    test("one that is killed while it finishes loses nothing; another finishes it", async () => {
      const texts = numbered(400);
      const whole = await finished(texts);
      for (let round = 0; round < 4; round++) {
        const run = await newRun();
        await end(await begin(run));
        const other = await OtherWorker.start(run.place, [score]);
        await other.ask({ plan: keysOf(texts) });
        await other.ask({ append: recordsOf(texts.toReversed()) });
        await other.ask({ finish: true });
        if (round > 0) await Promise.race([other.answer(), turns(round * 40)]);
        await other.kill();
        expect(new Set(await textsOf(run))).toEqual(new Set(texts));
        const work = await begin(run);
        await work.step.plan(keysOf(texts));
        expect(work.step.wanted).toBe(0);
        await work.step.finish();
        await end(work);
        expect(await all(run.ofStep("score"))).toEqual(await all(whole.ofStep("score")));
        expect(await run.stateOf("score")).toBe("finished");
        expect(await run.check()).toEqual(await whole.check());
      }
    });
  });

  describe("whoever follows it", () => {
    test("gets every record, later what is new, and may read any again by its latest position", async () => {
      const run = await newRun();
      const work = await begin(run);
      const reader = (await openStore(run.place)).follow();
      const latest = new Map<string, RecordPosition>();
      const news = async () => {
        const found: string[] = [];
        for (const { step, value, position } of (await all(reader.news())).flat()) {
          expect(step).toBe("score");
          const one = anyRecord.parse(value);
          latest.set(textOf(one), position);
          found.push(textOf(one));
        }
        return found;
      };
      expect(await news()).toEqual([]);
      await work.step.append(recordsOf(["c", "a"]));
      expect(await news()).toEqual(["c", "a"]);
      expect(await news()).toEqual([]);
      await work.step.append(recordsOf(["b"]));
      expect(await news()).toEqual(["b"]);
      await work.step.plan(keysOf(["a", "b", "c"]));
      await work.step.finish();
      await end(work);
      // Putting a step in order may move its records, which are then told again.
      for (const text of await news()) expect(["a", "b", "c"]).toContain(text);
      expect(reader.progress.read).toBe(reader.progress.total);
      const positions = ["b", "c", "a"].flatMap((text) => latest.get(text) ?? []);
      expect(await all(reader.read(positions))).toEqual(recordsOf(["b", "c", "a"]));
      const inPlan = [...latest].sort(([, one], [, other]) => one.offset - other.offset);
      expect(inPlan.map(([text]) => text)).toEqual(["a", "b", "c"]);
    });

    test("hears of steps that others add, and when the run was changed", async () => {
      const run = await newRun();
      expect(await run.changedAt()).toBeUndefined();
      await end(await begin(run));
      const followed = await openStore(run.place);
      const reader = followed.follow();
      const rated = { ...score, name: "rate" };
      await (await run.startWriting([rated])).close();
      expect(await all(reader.news())).toEqual([]);
      expect(followed.recipe.steps).toEqual([score, rated]);
      expect((await run.changedAt())?.getTime()).toBeGreaterThan(0);
    });
  });

  describe("finishing", () => {
    test("twice changes nothing, in one life or another", async () => {
      const texts = ["b", "a"];
      const run = await finished(texts);
      const before = await all(run.entriesOf("score"));
      for (const _ of [1, 2]) {
        const work = await begin(run);
        await work.step.plan(keysOf(texts));
        await work.step.finish();
        await work.step.finish();
        await end(work);
      }
      expect(await all(run.entriesOf("score"))).toEqual(before);
      expect(before.every((entry) => entry.isInOrder && "record" in entry)).toBe(true);
    });

    test("a step without tasks leaves nothing, and nothing to complain about", async () => {
      const run = await finished([]);
      expect(await run.stateOf("score")).toBe("absent");
      expect(await textsOf(run)).toEqual([]);
      expect(await run.check()).toEqual({ unsealed: [], recipeStands: true, problems: [] });
    });

    test("seals: what is changed by hand afterwards is refused, and told to who asks anyhow", async () => {
      const run = await finished(["a", "b"]);
      expect(await run.check()).toEqual({ unsealed: [], recipeStands: true, problems: [] });
      await edit(run.place, "score");
      await expect(openStore(run.place)).rejects.toThrow(InputError);
      const { recipeStands, problems } = await (
        await openStore(run.place, { anyhow: true })
      ).check();
      expect([recipeStands, problems.length]).toEqual([true, 1]);
      expect(problems[0]).toContain("step score");
    });
  });

  describe("beside its records", () => {
    test("traces are kept in the order of the sessions", async () => {
      const run = await newRun();
      for (const session of [1, 2, 3]) {
        const writer = await run.startWriting([]);
        await Promise.all([writer.trace({ session, at: 1 }), writer.trace({ session, at: 2 })]);
        await writer.close();
      }
      expect(await all(run.trace())).toEqual(
        [1, 2, 3].flatMap((session) => [
          { session, at: 1 },
          { session, at: 2 },
        ]),
      );
    });

    test("truths are kept by the key of their image", async () => {
      const run = await newRun();
      const writer = await run.startWriting([]);
      const [image, other] = [keyOf("image"), keyOf("other")];
      expect(await run.truth.isEmpty()).toBe(true);
      await writer.truth.write(image, { subject: "fox", count: 2 });
      expect(await run.truth.isEmpty()).toBe(false);
      expect(await run.truth.read(image)).toEqual({ subject: "fox", count: 2 });
      expect(await run.truth.problemOf(image)).toBeUndefined();
      expect(await run.truth.read(other)).toBeUndefined();
      expect(await run.truth.problemOf(other)).toContain("not there");
      await writer.close();
    });

    test("documents are kept by name, apart from the records", async () => {
      const run = await finished(["a"]);
      const documents = openDocuments(run.place);
      expect([await documents.has("verdict.json"), await documents.read("verdict.json")]).toEqual([
        false,
        undefined,
      ]);
      await documents.write("verdict.json", "{}");
      await documents.write("verdict.json", '{"verdict":["Ä"]}');
      expect(await openDocuments(run.place).read("verdict.json")).toBe('{"verdict":["Ä"]}');
      expect(await documents.has("verdict.json")).toBe(true);
      expect((await run.check()).problems).toEqual([]);
    });
  });
});

test("the runs of a folder are listed by name, those within others too", async () => {
  const place = await newPlace();
  expect(await storesIn(place)).toEqual([]);
  for (const name of ["b", "a", "a/chapter"]) {
    const run = await openStore(join(place, name), { create });
    await (await run.startWriting([])).close();
  }
  await openDocuments(join(place, "c")).write("notes.txt", "no run");
  const names = ["a", "a/chapter", "b"];
  expect(await storesIn(place)).toEqual(names.map((name) => ({ name, place: join(place, name) })));
  expect((await storesIn(join(place, "a"))).map(({ name }) => name)).toEqual(["", "chapter"]);
});

test.each(["postgres://me:secret@db/t/demo", "mysql://reader:secret@db/runs/demo", "s3://b/run"])(
  "an address is no run, and is refused without its password: %s",
  async (place) => {
    const refused = openStore(place);
    await expect(refused).rejects.toThrow(InputError);
    expect(
      JSON.stringify(await refused.catch((error) => [error.message, error.hint])),
    ).not.toContain("secret");
    expect(await hasStore(place).catch(() => false)).toBe(false);
  },
);

/** So many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
}
