import { log, log1p } from "./elementary/logarithm.js";
import { meanLoss } from "./mean-loss.js";

/**
 * The mean of -log(probability given to what is right), in nats: the cross-entropy. Probabilities
 * are kept 1e-15 away from 0 and 1, so that one certain mistake costs 34.5 and not infinity.
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @param weights how often each row counts; each once by default.
 * @returns at least 0, less is better, log 2 for saying 0.5 always; NaN without a label.
 * @throws RangeError where the two differ in length.
 * @example negativeLogLikelihood([1, 0], [0.5, 0.5]) // 0.6931471805599453
 */
export function negativeLogLikelihood(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  return meanLoss(labels, probabilities, weights, (label, probability) => {
    const clipped = Math.min(1 - 1e-15, Math.max(1e-15, probability));
    return label === 1 ? -log(clipped) : -log1p(-clipped);
  });
}
