/**
 * Weighted mean of a loss of each row's label and probability.
 *
 * @returns NaN without a row.
 * @throws RangeError where labels and probabilities differ in length.
 */
export function meanLoss(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  weights: ArrayLike<number> | undefined,
  loss: (label: number, probability: number) => number,
): number {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  let sum = 0;
  let count = 0;
  for (let row = 0; row < labels.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    if (weight === 0) continue;
    sum += weight * loss(labels[row] ?? 0, probabilities[row] ?? 0);
    count += weight;
  }
  return sum / count;
}
