/**
 * The mean of -log(probability given to what is right), in nats: the cross-entropy. Probabilities
 * are kept 1e-15 away from 0 and 1, so that one certain mistake costs 34.5 and not infinity.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @returns at least 0, less is better, log 2 for saying 0.5 always; NaN without a label.
 * @throws RangeError where the two differ in length.
 * @example negativeLogLikelihood([1, 0], [0.5, 0.5]) // 0.6931471805599453
 */
export function negativeLogLikelihood(
  labels: readonly number[],
  probabilities: readonly number[],
): number {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  let sum = 0;
  probabilities.forEach((probability, index) => {
    const clipped = Math.min(1 - 1e-15, Math.max(1e-15, probability));
    sum -= labels[index] === 1 ? Math.log(clipped) : Math.log1p(-clipped);
  });
  return sum / labels.length;
}
