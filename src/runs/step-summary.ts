import type { EndingCount } from "../core/record-store.js";
import type { UnscoredReason } from "../core/unscored.js";

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
