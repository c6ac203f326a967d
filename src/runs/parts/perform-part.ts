import { IncompleteError, InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import type { Picture } from "../../core/models.js";
import { type AnyStep, stepId } from "../../core/step.js";
import type { Exchange } from "../../files/exchange/exchange.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import type { CallMeter } from "../../models/prices/call-meter.js";
import type { Budget } from "../budget.js";
import type { Spent } from "../call-costs.js";
import { Fruitless } from "../fruitless.js";
import { inParallel } from "../in-parallel.js";
import type { Task } from "../make-record.js";
import { OpenedPictures } from "../opened-pictures.js";
import { type PerformingStep, performTask } from "../run-step.js";
import { forecast, triedOf } from "../step-forecast.js";
import { stepName } from "../step-plan.js";
import { countingContext, type TaskTools } from "../task-context.js";
import {
  describedStep,
  type PartResult,
  type PlanFile,
  partName,
  readResults,
  readTasks,
  recipeHash,
  type WrittenBlob,
  writeResults,
} from "./part-files.js";

export interface PerformOptions {
  readonly plan: PlanFile;
  readonly exchange: Exchange;
  /** The step that the part is of, and its place in it. */
  readonly step: AnyStep;
  readonly at: number;
  readonly concurrency: number;
  readonly budget: Budget;
  /** Counts calls before they are made, where a limit needs to know. */
  readonly meter?: CallMeter;
  readonly signal: AbortSignal;
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
  readonly onResult?: (result: PartResult) => void;
}

/** So many results of a part are there, and so many of them are unscored. */
export interface PerformedPart {
  readonly records: number;
  readonly unscored: number;
}

/**
 * Performs the tasks of a part and writes their results beside. Where it is stopped or killed, records with an answer are
 * written: performed again, the part asks the rest. A part that has all its results is left.
 *
 * @throws InputError where the part is gone, torn or of another recipe; IncompleteError where a limit or `signal`
 *   stopped it
 */
export async function performPart({
  plan: { recipe },
  exchange,
  step: typed,
  at,
  concurrency,
  budget,
  meter,
  signal,
  openPicture,
  onResult = () => {},
}: PerformOptions): Promise<PerformedPart> {
  const id = stepId(typed);
  const step = typed as unknown as PerformingStep;
  const described = describedStep(recipe, id);
  const hash = described && recipeHash(recipe, described);
  const name = partName("tasks", id, at);
  const path = exchange.pathOf(name);
  const tasks = hash && (await readTasks(exchange, name, hash));
  if (hash === undefined || tasks === undefined) {
    throw new InputError(`Expected a part that run plan wrote but there is none at ${path}`);
  }
  const resultsName = partName("results", id, at);
  const before = await readResults(exchange, resultsName, hash);
  const results = new Map(before);
  const left = tasks.filter(({ key }) => !results.has(key));
  const found = () => tasks.flatMap(({ key }) => results.get(key) ?? []);
  if (left.length === 0) return counted(found());
  const write = async () => {
    // Another process may have performed the part meanwhile: what cannot be read is not overwritten.
    const others = await readResults(exchange, resultsName, hash);
    for (const [key, result] of others ?? []) if (!results.has(key)) results.set(key, result);
    // What a stopped part has no answer for is asked again, as whatever stopped it may be mended.
    const all = found();
    const kept = all.length < tasks.length ? all.filter(isDone) : all;
    if (kept.length > 0) {
      await writeResults(exchange, resultsName, { recipe: hash, results: kept });
    }
  };
  let writing: Promise<void> | undefined;
  /** Writes what was paid for while the rest is asked: a killed process loses its last answers at most. */
  const writeSoFar = () => {
    // What fails here is told when all is written in the end.
    writing ??= write()
      .catch(() => {})
      .finally(() => {
        writing = undefined;
      });
  };
  const pictures = new OpenedPictures(async (image) =>
    openPicture(await exchange.blobs.read(image)),
  );
  const { calls, cost } = budget.limits;
  const asks = typed.asks ?? [];
  const watched = asks.filter((name) => meter?.watches(name));
  if (meter !== undefined && watched.length > 0 && (calls ?? cost) !== undefined) {
    const isTried = triedOf(left.length, { isMixed: watched.length < asks.length });
    const tried = left
      .filter((_, at) => isTried(at))
      .map(({ about, truth }) => () => {
        const run = { truth: { read: async () => truth } };
        return step.perform(about, countingContext({ run, signal, pictures }));
      });
    budget.expect(await forecast(meter, tried, left.length));
  }
  const ended = new AbortController();
  const fruitless = new Fruitless(`Part ${path}`, {
    hint: "Mend what it says, then perform the part again.",
  });
  const work = async ({ key, attempt, about, truth }: (typeof tasks)[number]) => {
    if (results.has(key)) return;
    if (!(await budget.take())) return ended.abort();
    let spent: Spent = { cost: 0, cached: true, calls: 0, unpriced: 0, forecast: 0 };
    try {
      const task: Task = {
        type: step.produces,
        step: stepName(step),
        ...(step.part === undefined ? {} : { part: step.part }),
        key,
        attempt,
        about,
      };
      const { writer, written } = writingTo(exchange);
      const made = await performTask(step, task, {
        run: { truth: { read: async () => truth } },
        writer,
        cancel: signal,
        pictures,
        now: () => new Date(),
        resume: undefined,
        forgetReplies: undefined,
        onTrace: () => {},
      });
      if (made === undefined) return;
      await made.traced;
      spent = made.spent;
      const result = { record: made.record, ...written() };
      results.set(key, result);
      onResult(result);
      if (!spent.cached) writeSoFar();
      if (made.record.status === "done") fruitless.answered();
      else fruitless.failed({ ...made.record, wasCalled: made.wasCalled });
    } finally {
      budget.put(spent);
    }
  };
  const stop = AbortSignal.any([signal, ended.signal]);
  try {
    await inParallel(left, { concurrency, signal: stop, work });
  } finally {
    await writing;
    await write();
  }
  const all = found();
  if (all.length < tasks.length) {
    const limit = budget.over === undefined ? "was stopped" : `met its limit of ${budget.over}`;
    throw new IncompleteError(
      `The part ${path} ${limit} with ${all.length} of ${tasks.length} records`,
      { hint: "Perform it again: what has an answer is not asked again." },
    );
  }
  return counted(all);
}

const isDone = ({ record }: PartResult): boolean => record.status === "done";

function counted(results: readonly PartResult[]): PerformedPart {
  const unscored = results.filter(({ record }) => record.status === "unscored").length;
  return { records: results.length, unscored };
}

/** Where a task writes: bytes go to the exchange, the rest into its result. */
function writingTo({ blobs: shared }: Exchange) {
  const trace: JsonObject[] = [];
  const blobs: WrittenBlob[] = [];
  let truth: Json | undefined;
  const writer: TaskTools["writer"] = {
    trace: async (entry) => void trace.push(entry),
    blobs: {
      async write(bytes, mediaType) {
        const hash = await shared.write(bytes, mediaType);
        blobs.push({ hash, mediaType });
        return hash;
      },
      async refer(hash, file) {
        const mediaType = "image/png";
        await shared.write(await readRegularFile(file, { mostBytes: mostImageBytes }), mediaType);
        blobs.push({ hash, mediaType, file });
      },
    },
    truth: {
      async write(_, content) {
        truth = content;
      },
    },
  };
  return { writer, written: () => ({ trace, blobs, truth }) };
}
