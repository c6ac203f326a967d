import { estimate, type IntervalOptions, intervalMethod } from "../analysis/inference/intervals.js";
import { clusterSums } from "../stats/cluster-sums.js";
import type { Estimate } from "../stats/estimate.js";

/** One who was asked about pairs of images, the same pairs as the others in the same order. */
export interface TimedAnswers {
  readonly name: string;
  /** How it was asked, in a few words. */
  readonly says: string;
  /** Calls of its model for all pairs. */
  readonly calls: number;
  /** The time of each pair. */
  readonly milliseconds: readonly number[];
}

export interface AnswerTime {
  readonly name: string;
  readonly says: string;
  readonly pairs: number;
  readonly callsPerPair: number;
  /** The mean of a pair. */
  readonly milliseconds: Estimate;
  /** As many times as long as the first one takes; above 1 is slower. */
  readonly timesTheFirst: Estimate;
}

/** Times of answers, also beside the first's; intervals draw pairs. */
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
