import {
  estimate,
  type IntervalOptions,
  intervalMethod,
} from "touchstone-t2i/internal/analysis/inference/intervals.js";
import { clusterSums } from "touchstone-t2i/internal/stats/cluster-sums.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";

/** Times of one judge's answers. All judges answer the same pairs in the same order. */
export interface TimedAnswers {
  readonly name: string;
  /** How the judge was asked, in a few words. */
  readonly says: string;
  /** Number of model calls for all pairs. */
  readonly calls: number;
  /** Time of each pair. */
  readonly milliseconds: readonly number[];
}

export interface AnswerTime {
  readonly name: string;
  readonly says: string;
  readonly pairs: number;
  readonly callsPerPair: number;
  /** Mean time of a pair. */
  readonly milliseconds: Estimate;
  /** Mean time over that of the first judge; above 1 is slower. */
  readonly timesTheFirst: Estimate;
}

/** Returns the mean time of each judge, and its ratio to the first judge's. Intervals resample pairs. */
export function answerTimes(
  timed: readonly TimedAnswers[],
  options: IntervalOptions = {},
): AnswerTime[] {
  const [first] = timed;
  if (first === undefined) return [];
  const pairs = first.milliseconds.length;
  const [count, its, firsts] = [0, 1, 2];
  const whenEmpty = "no pair was timed";
  const ratio = (numerator: number, denominator: number) => ({
    terms: [{ weight: 1, groups: [0], numerator, denominator, whenEmpty }],
  });
  return timed.map(({ name, says, calls, milliseconds }) => {
    const table = clusterSums({
      cluster: Int32Array.from(milliseconds, (_, at) => at),
      group: new Int32Array(pairs),
      columns: [
        new Float64Array(pairs).fill(1),
        Float64Array.from(milliseconds),
        Float64Array.from(first.milliseconds),
      ],
      clusters: pairs,
      groups: 1,
    });
    const method = intervalMethod(options, { clusters: pairs, clusteredBy: "pair" });
    const [mean, times] = estimate(table, [ratio(its, count), ratio(its, firsts)], method);
    if (mean === undefined || times === undefined) throw new RangeError("Expected two estimates");
    return {
      name,
      says,
      pairs,
      callsPerPair: calls / pairs,
      milliseconds: mean,
      timesTheFirst: times,
    };
  });
}
