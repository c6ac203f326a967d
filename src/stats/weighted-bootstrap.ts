import type { Random } from "../core/random.js";
import { quantile } from "./quantile.js";

/**
 * The 95 % percentile intervals of statistics that take a weight for each row: in each resample as
 * many clusters as there are, drawn uniformly and with replacement, and a row counts as often as
 * its cluster was drawn. Nothing is copied or sorted again, which is what makes rank statistics
 * affordable. Resamples in which a statistic is undefined are left out of its interval. Efron and
 * Tibshirani, "An Introduction to the Bootstrap" (1993), 13.3.
 *
 * @param options.cluster of each row, 0 to clusters - 1.
 * @param options.count how many statistics there are.
 * @param options.statistics writes all of them, NaN where undefined.
 * @returns one [low, high] for each statistic; undefined where no resample gave a value.
 */
export function weightedBootstrap({
  cluster,
  clusters,
  count,
  statistics,
  resamples,
  random,
}: {
  readonly cluster: Int32Array;
  readonly clusters: number;
  readonly count: number;
  statistics(weights: Float64Array, into: Float64Array): void;
  readonly resamples: number;
  readonly random: Random;
}): ([low: number, high: number] | undefined)[] {
  const values = Array.from({ length: count }, () => new Float64Array(resamples));
  const drawn = new Float64Array(clusters);
  const weights = new Float64Array(cluster.length);
  const each = new Float64Array(count);
  for (let resample = 0; resample < resamples; resample++) {
    drawn.fill(0);
    for (let draw = 0; draw < clusters; draw++) {
      const one = random.integer(clusters);
      drawn[one] = (drawn[one] ?? 0) + 1;
    }
    for (let row = 0; row < weights.length; row++) weights[row] = drawn[cluster[row] ?? 0] ?? 0;
    statistics(weights, each);
    for (let index = 0; index < count; index++) {
      const into = values[index];
      if (into) into[resample] = each[index] ?? Number.NaN;
    }
  }
  return values.map((resampled) => {
    const defined = resampled.filter((value) => !Number.isNaN(value)).sort();
    if (defined.length === 0) return undefined;
    return [quantile(defined, 0.025), quantile(defined, 0.975)];
  });
}
