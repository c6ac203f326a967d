import type { Estimate } from "../../stats/estimate.js";
import { wilsonInterval } from "../../stats/wilson-interval.js";

/** A share of answers with Wilson's 95 % interval; what was not answered stands apart. */
export interface Share extends Estimate {
  /** How many were answered. */
  readonly n: number;
  readonly successes: number;
  readonly unscored: number;
}

/** @param outcomes one for each item; undefined where there was no answer. */
export function shareOf(outcomes: readonly (boolean | undefined)[]): Share {
  const answered = outcomes.filter((outcome) => outcome !== undefined);
  const successes = answered.filter((outcome) => outcome).length;
  return {
    n: answered.length,
    successes,
    unscored: outcomes.length - answered.length,
    ...wilsonInterval(successes, answered.length),
  };
}
