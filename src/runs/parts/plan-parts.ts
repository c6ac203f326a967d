import type { Hash, Key } from "../../core/keys.js";
import type { Picture } from "../../core/models.js";
import type { RecordStore } from "../../core/record-store.js";
import { type AnyStep, type Records, stepId } from "../../core/step.js";
import type { Exchange } from "../../files/exchange/exchange.js";
import { runSteps } from "../run-steps.js";
import { type ErasedStep, surveyPlan, wantedTasks } from "../step-plan.js";
import {
  describedStep,
  type PartTask,
  partName,
  recipeHash,
  writePlan,
  writeTasks,
} from "./part-files.js";

export interface PlannedParts {
  /** Steps that have tasks, by their ids. */
  readonly steps: readonly string[];
  readonly tasks: number;
  /** Where the parts lie, for whoever performs them. */
  readonly parts: readonly string[];
  /** Whether nothing of any step is left. */
  readonly done: boolean;
}

export interface PartsOptions {
  readonly run: RecordStore;
  /** Makes a step of the recipe by its id. */
  readonly stepOf: (id: string) => Promise<AnyStep>;
  readonly exchange: Exchange;
  readonly signal: AbortSignal;
}

/**
 * Writes the wanted tasks of every step whose inputs are finished into an exchange, `partSize` tasks to a part. A
 * step that asks nobody is collected here.
 *
 * @throws InputError where another process writes to the run, or a step can't be made.
 */
export async function planParts({
  partSize,
  openPicture,
  ...options
}: PartsOptions & {
  readonly partSize: number;
  readonly openPicture: (bytes: Uint8Array) => Promise<Picture>;
}): Promise<PlannedParts> {
  const { run, stepOf, exchange, signal } = options;
  const ids = run.recipe.steps.map(stepId);
  const open: AnyStep[] = [];
  const counts: { step: string; parts: number }[] = [];
  let tasks = 0;
  for (const [position, id] of ids.entries()) {
    if ((await run.stateOf(id)) === "finished") continue;
    const step = await stepOf(id);
    const later = ids.slice(position);
    const inputs = open.filter((before) => !areParts(before, step));
    const records = finishedOnly(run.without(later), inputs);
    const planned = await planStep(step, { ...options, records, partSize });
    if (planned === "asks-nobody") {
      await runSteps({ run, steps: [step], hides: later, signal, openPicture });
      continue;
    }
    open.push(step);
    if (planned === "waits") continue;
    tasks += planned.tasks;
    counts.push({ step: id, parts: planned.parts });
  }
  await writePlan(exchange, { recipe: run.recipe, steps: counts });
  return {
    steps: counts.map(({ step }) => step),
    tasks,
    parts: counts.flatMap(({ step, parts }) =>
      Array.from({ length: parts }, (_, at) => exchange.pathOf(partName("tasks", step, at))),
    ),
    done: open.length === 0,
  };
}

const asksNobody = ({ asks = [], metric }: AnyStep): boolean =>
  asks.length === 0 && metric === undefined;

/** A step reads records that a step before it has yet to collect. */
class InputsOpen extends Error {}

/** Tells parts of one step that score by a metric each: none reads what another scored. */
const areParts = (one: AnyStep, other: AnyStep): boolean =>
  one.name === other.name && one.produces === "score" && other.produces === "score";

/** The records of steps that are finished; one that reads others waits. */
const finishedOnly = (records: Records, open: readonly AnyStep[]): Records => ({
  ofType(type) {
    if (open.some(({ produces }) => produces === type)) throw new InputsOpen();
    return records.ofType(type);
  },
});

/** Writes the parts of a step that asks somebody. */
async function planStep(
  typed: AnyStep,
  {
    run,
    records,
    exchange,
    signal,
    partSize,
  }: Omit<PartsOptions, "stepOf"> & { readonly records: Records; readonly partSize: number },
): Promise<"asks-nobody" | "waits" | { readonly parts: number; readonly tasks: number }> {
  const step = typed as unknown as ErasedStep;
  const id = stepId(typed);
  const writer = await run.startWriting([typed]);
  try {
    const stored = await writer.openStep(id);
    try {
      const survey = await surveyPlan(step, { records, stored, signal });
      if (stored.wanted === 0 || asksNobody(typed)) {
        return "asks-nobody";
      }
      const described = describedStep(run.recipe, id);
      if (described === undefined) throw new RangeError(`Expected a step but received ${id}`);
      const recipe = recipeHash(run.recipe, described);
      const counts = { parts: 0, tasks: 0 };
      let waiting: PartTask[] = [];
      const shared = new Set<Hash>();
      const flush = async () => {
        if (waiting.length === 0) return;
        await writeTasks(exchange, partName("tasks", id, counts.parts), { recipe, tasks: waiting });
        counts.parts += 1;
        counts.tasks += waiting.length;
        waiting = [];
      };
      for await (const batch of wantedTasks(step, { records, stored, survey, signal })) {
        for (const task of batch) {
          await shareBlobs(task, { run, exchange, shared });
          const { of } = task.about;
          // Who judges a picture must not know what is in it; only who checks the truth is told.
          const isCheck = typed.produces === "score" && typed.metric === undefined;
          const truth = isCheck && of !== undefined ? await run.truth.read(of as Key) : undefined;
          if (waiting.push({ ...task, truth }) === partSize) await flush();
        }
      }
      signal.throwIfAborted();
      await flush();
      return counts;
    } finally {
      await stored.close();
    }
  } catch (error) {
    if (error instanceof InputsOpen) return "waits";
    throw error;
  } finally {
    await writer.close();
  }
}

/** Puts the bytes that a task names into the exchange, where they are not yet; each is looked at once. */
async function shareBlobs(
  { about }: PartTask,
  {
    run,
    exchange: { blobs },
    shared,
  }: {
    readonly run: RecordStore;
    readonly exchange: Exchange;
    readonly shared: Set<Hash>;
  },
): Promise<void> {
  for (const value of Object.values(about).flat()) {
    if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) continue;
    const hash = value as Hash;
    if (shared.has(hash) || (await run.blobs.addressOf(hash)) === undefined) continue;
    shared.add(hash);
    if ((await blobs.problemOf(hash)) === undefined) continue;
    await blobs.write(await run.blobs.read(hash), "image/png");
  }
}
