import { log, log1p } from "./elementary/logarithm.js";
import { square } from "./elementary/powers.js";

/** The loss of each row. @throws RangeError where labels and probabilities differ in length. */
function losses(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  loss: (label: number, probability: number) => number,
): Float64Array {
  if (labels.length !== probabilities.length) {
    throw new RangeError(
      `Expected ${labels.length} probabilities but received ${probabilities.length}`,
    );
  }
  return Float64Array.from(labels, (label, row) => loss(label, probabilities[row] ?? 0));
}

/** (probability - label)^2 of each row. */
const squaredLosses = (labels: ArrayLike<number>, probabilities: ArrayLike<number>) =>
  losses(labels, probabilities, (label, probability) => square(probability - label));

/** -log(probability given to what is right) of each row, in nats. */
export const logLosses = (labels: ArrayLike<number>, probabilities: ArrayLike<number>) =>
  losses(labels, probabilities, (label, probability) => {
    const clipped = Math.min(1 - 1e-15, Math.max(1e-15, probability));
    return label === 1 ? -log(clipped) : -log1p(-clipped);
  });

/** Mean of what the rows lost; each counts once, or as often as its weight says. NaN without a row. */
function meanLoss(
  lost: Float64Array,
  weights: ArrayLike<number> = new Uint8Array(lost.length).fill(1),
): number {
  let sum = 0;
  let count = 0;
  for (let row = 0; row < lost.length; row++) {
    const weight = weights[row] ?? 0;
    sum += weight * (lost[row] ?? 0);
    count += weight;
  }
  return sum / count;
}

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
  return meanLoss(squaredLosses(labels, probabilities), weights);
}

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
  return meanLoss(logLosses(labels, probabilities), weights);
}
