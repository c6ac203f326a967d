import type { Random } from "../../core/random.js";
import { bcaInterval, percentileInterval } from "../../stats/percentile-interval.js";
import { weightedJackknife, weightedResamples } from "../../stats/weighted-bootstrap.js";
import type { Interval, IntervalMethod } from "./intervals.js";

/** Values of statistics in draws, and without each of the clusters where BCa intervals need them. */
export interface Samples {
  readonly resampled: readonly Float64Array[];
  readonly jackknifed?: readonly Float64Array[];
}

/**
 * Draws whole clusters.
 *
 * @param valuesOf all statistics when each row counts as often as its weight says.
 * @param options.count how many statistics there are.
 * @param options.cluster of each row, 0 to clusters - 1.
 */
export function weightedSamples(
  valuesOf: (weights: Float64Array) => ArrayLike<number>,
  {
    method: { method, resamples = 0 },
    random,
    ...rows
  }: {
    readonly count: number;
    readonly cluster: Int32Array;
    readonly clusters: number;
    readonly method: IntervalMethod;
    readonly random: Random;
  },
): Samples {
  const weighted = {
    ...rows,
    statistics: (weights: Float64Array, into: Float64Array) => into.set(valuesOf(weights)),
  };
  const resampled = weightedResamples({ ...weighted, resamples, random });
  return method === "bca" ? { resampled, jackknifed: weightedJackknife(weighted) } : { resampled };
}

/** The interval of the statistic at this place: BCa where the samples have a jackknife. */
export function sampledInterval(value: number, samples: Samples, at: number): Interval {
  const resampled = samples.resampled[at] ?? new Float64Array();
  const jackknifed = samples.jackknifed?.[at];
  return jackknifed === undefined
    ? percentileInterval(resampled)
    : bcaInterval({ value, resampled, jackknifed });
}
