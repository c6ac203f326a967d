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
  cost = 0;
  readonly unscored: Partial<Record<UnscoredReason, number>> = {};

  count(reason: UnscoredReason | undefined): void {
    if (reason === undefined) this.done++;
    else this.unscored[reason] = (this.unscored[reason] ?? 0) + 1;
  }
}
