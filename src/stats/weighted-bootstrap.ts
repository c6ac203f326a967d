import type { Random } from "../core/random.js";
import { drawClusters } from "./cluster-bootstrap.js";

/** Statistics that take a weight for each row, and what is drawn as a whole. */
export interface WeightedStatistics {
  /** The cluster of each row, 0 to clusters - 1. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** How many statistics there are. */
  readonly count: number;
  /** Writes all of them, NaN where undefined. */
  statistics(weights: Float64Array, into: Float64Array): void;
}

/**
 * The values of statistics in resamples, NaN where undefined: in each as many clusters as there are,
 * drawn uniformly and with replacement, and a row counts as often as its cluster was drawn. Nothing is
 * copied or sorted again, which is what makes rank statistics affordable. Efron and Tibshirani, "An
 * Introduction to the Bootstrap" (1993), 13.3.
 *
 * @returns one array for each statistic, with a value for each resample.
 */
export function weightedResamples({
  resamples,
  random,
  ...of
}: WeightedStatistics & {
  readonly resamples: number;
  readonly random: Random;
}): Float64Array[] {
  return valuesOf(of, resamples, (_, drawn) => drawClusters(random, drawn));
}

/** The values of each statistic without each of the clusters, NaN where undefined. */
export function weightedJackknife(of: WeightedStatistics): Float64Array[] {
  return valuesOf(of, of.clusters, (without, drawn) => {
    drawn.fill(1);
    drawn[without] = 0;
  });
}

function valuesOf(
  { cluster, clusters, count, statistics }: WeightedStatistics,
  times: number,
  draw: (time: number, drawn: Float64Array) => void,
): Float64Array[] {
  const values = Array.from({ length: count }, () => new Float64Array(times));
  const drawn = new Float64Array(clusters);
  const weights = new Float64Array(cluster.length);
  const each = new Float64Array(count);
  for (let time = 0; time < times; time++) {
    draw(time, drawn);
    for (let row = 0; row < weights.length; row++) weights[row] = drawn[cluster[row] ?? 0] ?? 0;
    statistics(weights, each);
    for (let index = 0; index < count; index++) {
      const into = values[index];
      if (into) into[time] = each[index] ?? Number.NaN;
    }
  }
  return values;
}
