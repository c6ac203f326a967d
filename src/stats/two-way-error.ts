import { square } from "./elementary/powers.js";
import { influenceError } from "./influence-error.js";

/** Which cluster each row is in, 0 to clusters - 1. */
export interface Clustering {
  readonly cluster: Int32Array;
  readonly clusters: number;
}

/**
 * The standard error of a statistic whose rows share clusters of two kinds, such as raters and items: of
 * three variances, each as `influenceError` has it, that by the one plus that by the other minus that by
 * both. Cameron, Gelbach and Miller, "Robust Inference With Multiway Clustering" (2011), equation 2.5.
 * Rows of one cluster are taken to be alike rather than opposed, so it is no less than by either alone:
 * with few clusters the difference can fall below that, even below 0.
 *
 * @param influence by how much the statistic moves with the weight of each row; sums to 0.
 * @returns a number of at least 0; NaN with fewer than two clusters of either kind.
 */
export function twoWayError(
  influence: Float64Array,
  { one, other, both }: Readonly<Record<"one" | "other" | "both", Clustering>>,
): number {
  const [first, second, within] = [one, other, both].map(({ cluster, clusters }) =>
    square(influenceError(influence, cluster, clusters)),
  );
  if (first === undefined || second === undefined || within === undefined) return Number.NaN;
  return Math.sqrt(Math.max(first + second - within, first, second));
}
