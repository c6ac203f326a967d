import { square } from "./elementary/powers.js";
import { criticalT } from "./incomplete-beta.js";

/** How a statistic moves with the weight of each of its clusters, in sums over these. */
export interface InfluenceSpread {
  readonly clusters: number;
  /** Sum of the clusters' influences to the power of 2. */
  readonly squares: number;
  /** … and of 4. */
  readonly fourths: number;
}

/**
 * Sums influence values over whole clusters.
 *
 * @param influence by how much the statistic moves with the weight of each row; sums to 0.
 * @param cluster of each row, 0 to clusters - 1; each has rows.
 */
export function clusterSums(
  influence: Float64Array,
  cluster: Int32Array,
  clusters: number,
): Float64Array {
  const sums = new Float64Array(clusters);
  for (let row = 0; row < influence.length; row++) {
    const one = cluster[row] ?? 0;
    sums[one] = (sums[one] ?? 0) + (influence[row] ?? 0);
  }
  return sums;
}

/** How a statistic moves with each cluster, by its influence values as `clusterSums` takes them. */
export const influenceSpread = (...influences: Parameters<typeof clusterSums>): InfluenceSpread =>
  spreadOf(clusterSums(...influences));

/** The same of influences that are summed already, one for each cluster. */
export function spreadOf(sums: Float64Array): InfluenceSpread {
  let squares = 0;
  let fourths = 0;
  for (const sum of sums) {
    squares += square(sum);
    fourths += square(square(sum));
  }
  return { clusters: sums.length, squares, fourths };
}

/**
 * The standard error of a statistic: the root of k / (k - 1) times the sum of squares of its k
 * clusters' influences (the infinitesimal jackknife). Efron and Tibshirani, "An Introduction to the
 * Bootstrap" (1993), 21.3.
 *
 * @returns a number of at least 0; NaN with fewer than two clusters.
 */
export const spreadError = ({ clusters, squares }: InfluenceSpread): number =>
  clusters < 2 ? Number.NaN : Math.sqrt((clusters / (clusters - 1)) * squares);

/** The same from influence values by row. */
export const influenceError = (
  influence: Float64Array,
  cluster: Int32Array,
  clusters: number,
): number => spreadError(influenceSpread(influence, cluster, clusters));

/**
 * How many clusters of equal say would tell as much about the standard error: 1 + its degrees of
 * freedom, 2 k / (kurtosis - 1) of the k influences, at most k - 1. A variance of k values has the
 * relative variance (kurtosis - 1) / k, and one of chi-squared with f degrees of freedom 2 / f
 * (Satterthwaite, "An Approximate Distribution of Estimates of Variance Components", 1946).
 *
 * @returns a number from about 3 to k, where one cluster alone moves the statistic and where all do alike.
 */
export function effectiveClusters({ clusters, squares, fourths }: InfluenceSpread): number {
  const kurtosis = (clusters * fourths) / (squares * squares);
  const most = clusters - 1;
  // As all that move alike have a kurtosis of 1, give or take rounding.
  return 1 + (kurtosis - 1 > (2 * clusters) / most ? (2 * clusters) / (kurtosis - 1) : most);
}

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/** Half the width of a 95 % interval: 1.96 standard errors, or as many as Student's t has. */
export function influenceMargin(method: "delta" | "t", spread: InfluenceSpread): number {
  const error = spreadError(spread);
  if (method === "delta" || !(error > 0)) return z * error;
  return criticalT(0.05, effectiveClusters(spread) - 1) * error;
}

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
