import { readdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { IncompleteError, InputError } from "../../core/errors.js";
import { type Hash, keyOf } from "../../core/keys.js";
import type { RecordStore } from "../../core/record-store.js";
import type { About } from "../../core/records.js";
import { type AnyStep, type Step, stepId } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { openExchange } from "../../files/exchange/exchange.js";
import { openStore } from "../../files/open-store.js";
import { Budget } from "../budget.js";
import { runSteps } from "../run-steps.js";
import { finishParts } from "./finish-parts.js";
import { describedStep, partName, readPlan, readResults, recipeHash } from "./part-files.js";
import { performPart } from "./perform-part.js";
import { planParts } from "./plan-parts.js";

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
});

const signal = new AbortController().signal;
const openPicture = () => Promise.reject(new Error("Expected no picture to be opened"));

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

/** A score for each text; a text "none" has no answer that can be read, "later" none yet. */
function scoring(part: string, texts: readonly string[]) {
  const asked: string[] = [];
  const step: Step<"score"> = {
    name: "score",
    part,
    version: 1,
    produces: "score",
    parameters: {},
    asks: ["lab:ruler"],
    async *plan() {
      for (const text of texts) yield { ...aboutOf(text), metric: part };
    },
    async perform({ text }, { trace }) {
      asked.push(text);
      trace({ kind: "model-call", cost: 0.5 });
      if (text === "none") throw new NoAnswer("unparsable", "What?");
      if (text === "later") throw new NoAnswer("timeout", "late", { retryable: true });
      return { value: text.length };
    },
  };
  return { step, asked };
}

/** A step that reads the scores of those before it. */
const counting: Step<"score"> = {
  ...scoring("all", []).step,
  name: "count",
  async *plan(records) {
    for await (const score of records.ofType("score")) {
      yield { ...aboutOf(score.text), metric: "count" };
    }
  },
};

async function begun(steps: readonly AnyStep[], name = "run"): Promise<RecordStore> {
  const run = await openStore(join(directory, name), {
    create: { seed: 0, software: "1.0.0" },
  });
  await (await run.startWriting(steps)).close();
  return run;
}

function engineOf(run: RecordStore, steps: readonly AnyStep[]) {
  const exchange = openExchange("exchange", directory);
  const stepOf = async (id: string) => {
    const step = steps.find((one) => stepId(one) === id);
    if (step === undefined) throw new RangeError(id);
    return step;
  };
  const common = { run, stepOf, exchange, signal };
  return {
    exchange,
    plan: (partSize = 2) => planParts({ ...common, partSize, openPicture }),
    finish: () => finishParts(common),
    async perform(step: AnyStep, at: number, budget = new Budget({})) {
      const plan = await readPlan(exchange);
      if (plan === undefined) throw new RangeError("no plan");
      return performPart({
        plan,
        exchange,
        step,
        at,
        budget,
        concurrency: 1,
        signal,
        openPicture,
      });
    },
  };
}

async function recordFiles({ place }: RecordStore): Promise<Record<string, string>> {
  const names = (await readdir(join(place, "records"))).sort();
  const texts = names.map((name) => readFile(join(place, "records", name), "utf8"));
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
}

const texts = ["a", "bb", "none", "a", "later"];

test("parts in any order give the bytes of the loop, repeated tasks and missing answers included", async () => {
  const { step } = scoring("one", texts);
  const looped = await begun([step], "looped");
  await runSteps({ run: looped, steps: [step], openPicture });
  const { asked, ...own } = scoring("one", texts);
  const run = await begun([own.step]);
  const { plan, perform, finish } = engineOf(run, [own.step]);
  expect(await plan()).toMatchObject({ steps: ["score-one"], tasks: 4, done: false });
  await perform(own.step, 1);
  expect(await finish()).toMatchObject({ records: 0, missing: [expect.stringMatching(/00000/)] });
  expect(await perform(own.step, 0)).toEqual({ records: 2, unscored: 0 });
  expect(await perform(own.step, 1)).toEqual({ records: 2, unscored: 2 });
  expect(asked).toEqual(["none", "later", "a", "bb"]);
  expect(await finish()).toEqual({ steps: ["score-one"], records: 4, missing: [] });
  expect(await recordFiles(run)).toEqual(await recordFiles(looped));
  const calls: unknown[] = [];
  for await (const entry of run.trace()) calls.push(entry);
  expect(calls.filter((entry) => JSON.stringify(entry).includes("model-call"))).toHaveLength(4);
  expect(await plan()).toEqual({ steps: [], tasks: 0, parts: [], done: true });
});

test("a step waits for the steps whose records it reads; parts of one step go side by side", async () => {
  const [one, two] = [scoring("one", ["a"]).step, scoring("two", ["bb"]).step];
  const steps = [one, two, counting];
  const run = await begun(steps);
  const { plan, perform, finish } = engineOf(run, steps);
  expect((await plan()).steps).toEqual(["score-one", "score-two"]);
  await perform(one, 0);
  await perform(two, 0);
  await finish();
  expect(await plan()).toMatchObject({ steps: ["count-all"], tasks: 2 });
});

test("a part that met its limit keeps its answers, and performed again asks the rest", async () => {
  const { step, asked } = scoring("one", ["a", "bb"]);
  const { plan, perform, finish } = engineOf(await begun([step]), [step]);
  await plan();
  const limited = perform(step, 0, new Budget({ calls: 1 }));
  await expect(limited).rejects.toThrow(IncompleteError);
  expect(asked).toEqual(["a"]);
  expect((await finish()).missing).toHaveLength(1);
  expect(await perform(step, 0)).toEqual({ records: 2, unscored: 0 });
  expect(asked).toEqual(["a", "bb"]);
  expect(await finish()).toMatchObject({ records: 2, missing: [] });
});

test.each([
  ["of a model", false],
  ["of a metric of the user's own, which tells of no call,", true],
])("answers %s are kept while the rest of their part is asked", async (_, isSilent) => {
  const { step } = scoring("one", ["a", "bb"]);
  const run = await begun([step]);
  const { exchange, plan, perform } = engineOf(run, [step]);
  await plan();
  const described = describedStep(run.recipe, "score-one");
  if (described === undefined) throw new RangeError("no step");
  const recipe = recipeHash(run.recipe, described);
  const write = exchange.write.bind(exchange);
  const written = new Promise<void>((resolve) => {
    vi.spyOn(exchange, "write").mockImplementation(async (name, bytes) => {
      await write(name, bytes);
      resolve();
    });
  });
  const kept: number[] = [];
  const second: Step<"score"> = {
    ...step,
    async perform(about, context) {
      if (about.text === "bb") {
        await written;
        const name = partName("results", "score-one", 0);
        kept.push((await readResults(exchange, name, recipe))?.size ?? 0);
      }
      return step.perform(about, isSilent ? { ...context, trace() {} } : context);
    },
  };
  expect(await perform(second, 0)).toEqual({ records: 2, unscored: 0 });
  expect(kept).toEqual([1]);
});

test("results that cannot be read again are not overwritten, as another may have paid for them", async () => {
  const { step } = scoring("one", ["a", "bb"]);
  const { exchange, plan, perform } = engineOf(await begun([step]), [step]);
  await plan();
  const name = partName("results", "score-one", 0);
  const read = exchange.read.bind(exchange);
  let reads = 0;
  vi.spyOn(exchange, "read").mockImplementation(async (of) => {
    if (of === name && ++reads > 1) throw new Error("Slow down");
    return read(of);
  });
  const write = vi.spyOn(exchange, "write");
  await expect(perform(step, 0)).rejects.toThrow("Slow down");
  expect(write).not.toHaveBeenCalled();
});

test("a part that a limit stopped asks again what has no answer", async () => {
  const { step, asked } = scoring("one", ["none", "a"]);
  const { plan, perform } = engineOf(await begun([step]), [step]);
  await plan();
  await expect(perform(step, 0, new Budget({ calls: 1 }))).rejects.toThrow(IncompleteError);
  expect(await perform(step, 0)).toEqual({ records: 2, unscored: 1 });
  expect(asked).toEqual(["none", "none", "a"]);
});

test("torn results are refused by name, those of other tasks count as missing", async () => {
  const { step } = scoring("one", ["a", "bb"]);
  const run = await begun([step]);
  const { plan, perform, finish, exchange } = engineOf(run, [step]);
  await plan(1);
  await perform(step, 0);
  await perform(step, 1);
  await plan(2);
  expect((await finish()).missing).toHaveLength(1);
  await perform(step, 0);
  const path = exchange.pathOf("results/score-one/00000.parquet");
  const { length } = await readFile(path);
  await truncate(path, length - 9);
  await expect(finish()).rejects.toThrow(InputError);
  await expect(finish()).rejects.toThrow("results/score-one/00000.parquet");
});

test("finishing again after it was killed on its way takes in what is missing", async () => {
  const { step } = scoring("one", ["a", "later", "ccc"]);
  const run = await begun([step]);
  const { plan, perform, finish } = engineOf(run, [step]);
  await plan(3);
  await perform(step, 0);
  const writer = await run.startWriting([step]);
  const stored = await writer.openStep("score-one");
  await stored.close();
  await writer.close();
  expect(await finish()).toMatchObject({ records: 3 });
  expect(await finish()).toEqual({ steps: [], records: 0, missing: [] });
});
