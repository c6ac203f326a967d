/**
 * The standard error of a statistic from its influence values, summed over whole clusters: the root
 * of k / (k - 1) times the sum of squares of the k clusters' sums (the infinitesimal jackknife).
 * Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 21.3.
 *
 * @param influence by how much the statistic moves with the weight of each row; sums to 0.
 * @param cluster of each row, 0 to clusters - 1; each has rows.
 * @returns a number of at least 0; NaN with fewer than two clusters.
 */
export function influenceError(
  influence: Float64Array,
  cluster: Int32Array,
  clusters: number,
): number {
  if (clusters < 2) return Number.NaN;
  const sums = new Float64Array(clusters);
  for (let row = 0; row < influence.length; row++) {
    const one = cluster[row] ?? 0;
    sums[one] = (sums[one] ?? 0) + (influence[row] ?? 0);
  }
  const squares = sums.reduce((sum, value) => sum + value * value, 0);
  return Math.sqrt((clusters / (clusters - 1)) * squares);
}
