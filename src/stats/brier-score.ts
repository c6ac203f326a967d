/**
 * The mean squared distance between what was said and what is: the mean of (probability - label)^2.
 * Brier, "Verification of Forecasts Expressed in Terms of Probability" (1950), for one of two
 * outcomes.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @returns a number in [0, 1], less is better; NaN without a label.
 * @throws RangeError where the two differ in length.
 * @example brierScore([1, 0], [0.9, 0.5]) // 0.13
 */
export function brierScore(labels: readonly number[], probabilities: readonly number[]): number {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  let sum = 0;
  labels.forEach((label, index) => {
    sum += ((probabilities[index] ?? 0) - label) ** 2;
  });
  return sum / labels.length;
}
