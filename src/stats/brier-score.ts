import { square } from "./elementary/square.js";
import { meanLoss } from "./mean-loss.js";

/**
 * The mean squared distance between what was said and what is: the mean of (probability - label)^2.
 * Brier, "Verification of Forecasts Expressed in Terms of Probability" (1950), for one of two
 * outcomes.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @param weights how often each row counts; each once by default.
 * @returns a number in [0, 1], less is better; NaN without a label.
 * @throws RangeError where the two differ in length.
 * @example brierScore([1, 0], [0.9, 0.5]) // 0.13
 */
export function brierScore(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  return meanLoss(labels, probabilities, weights, (label, probability) =>
    square(probability - label),
  );
}
