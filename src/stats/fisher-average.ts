/**
 * The average of correlations by Fisher's z: tanh of the weighted mean of artanh(r), not of r
 * itself. Fisher, "On the 'Probable Error' of a Coefficient of Correlation Deduced from a Small
 * Sample" (1921). A correlation of 1 or -1 has no finite z, and outweighs all others.
 *
 * @param correlations in [-1, 1].
 * @param weights for each, such as n - 3; all equal by default.
 * @returns a number in [-1, 1]; NaN without a correlation, or where 1 and -1 are averaged.
 * @example fisherAverage([0.1, 0.9]) // 0.6560…, where the plain mean is 0.5
 */
export function fisherAverage(
  correlations: readonly number[],
  weights?: readonly number[],
): number {
  let sum = 0;
  let total = 0;
  correlations.forEach((correlation, at) => {
    const weight = weights === undefined ? 1 : (weights[at] ?? 0);
    if (weight === 0) return;
    sum += weight * Math.atanh(correlation);
    total += weight;
  });
  return Math.tanh(sum / total);
}
