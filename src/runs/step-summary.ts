import { differences } from "../core/recipe.js";
import type { EndingCount, RecordStore } from "../core/record-store.js";
import { type AnyStep, stepId } from "../core/step.js";
import type { UnscoredReason } from "../core/unscored.js";
import { brokenImages } from "./broken-images.js";

/** How a step stands after the loop went over it. `planned` = `done` + all of `unscored`. */
export interface StepSummary {
  readonly step: string;
  /** Keys in the plan. */
  readonly planned: number;
  /** Entries of the plan that named a key already planned. */
  readonly duplicates: number;
  /** Planned keys that had been asked before and were not asked again. */
  readonly reused: number;
  /** Always 0: one process at a time works on a run. */
  readonly byOthers: 0;
  readonly done: number;
  readonly unscored: Readonly<Partial<Record<UnscoredReason, number>>>;
  /** US dollars spent this time; 0 where nothing was said of cost. */
  readonly cost: number;
  /** Time this time. */
  readonly seconds: number;
}

/** Counts the endings of a step's tasks. */
export class Tally {
  done = 0;
  readonly unscored: Partial<Record<UnscoredReason, number>> = {};

  constructor(endings: Iterable<EndingCount> = []) {
    for (const { reason, count } of endings) this.count(reason, count);
  }

  count(reason: UnscoredReason | undefined, many = 1): void {
    if (reason === undefined) this.done += many;
    else this.unscored[reason] = (this.unscored[reason] ?? 0) + many;
  }
}

/** A step of a run that was finished by another version of itself, and how it stands. */
export interface KeptStep {
  readonly summary: StepSummary;
  /** How it differs from what it would be now, one sentence each. */
  readonly differences: readonly string[];
}

/**
 * The steps, by their ids, that the run finished with another version or other parameters than they
 * have now, such as a metric whose version was raised since. Whoever goes on with a run keeps them as
 * they are: their records say which version they are of. One that is unfinished, or whose images are
 * gone, is not among them: nobody could finish it as it was begun.
 */
export async function keptSteps(
  run: RecordStore,
  steps: readonly AnyStep[],
): Promise<ReadonlyMap<string, KeptStep>> {
  const kept = new Map<string, KeptStep>();
  for (const step of steps) {
    const id = stepId(step);
    const found = differences(run.recipe, { steps: [step] });
    const summary = found.length === 0 ? undefined : await finishedStep(run, id);
    if (summary !== undefined) kept.set(id, { summary, differences: found });
  }
  return kept;
}

/** How a step stands that is finished, with all its images; undefined for any other. */
export async function finishedStep(run: RecordStore, id: string): Promise<StepSummary | undefined> {
  if ((await run.stateOf(id)) !== "finished") return undefined;
  const broken = await brokenImages(run.blobs, run.ofStep(id));
  if (broken.length > 0) return undefined;
  const tally = new Tally();
  for await (const record of run.ofStep(id)) {
    tally.count(record.status === "done" ? undefined : record.reason);
  }
  const { done, unscored } = tally;
  const planned = done + Object.values(unscored).reduce((sum, many) => sum + many, 0);
  return {
    step: id,
    planned,
    duplicates: 0,
    reused: planned,
    byOthers: 0,
    done,
    unscored,
    cost: 0,
    seconds: 0,
  };
}
