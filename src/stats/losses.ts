import { log, log1p } from "./elementary/logarithm.js";
import { square } from "./elementary/powers.js";
import { confidenceBin } from "./reliability-bins.js";

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

/** brierScore = reliability - resolution + uncertainty + withinBins. */
export interface BrierDecomposition {
  /** How far probabilities lie from how often 1 is right, squared; less is better. */
  readonly reliability: number;
  /** How far bins lie from the overall share of 1, squared; more is better. */
  readonly resolution: number;
  /** p (1 - p) of the overall share of 1: what saying that share always would cost. */
  readonly uncertainty: number;
  /** The rest, since a bin holds different probabilities. */
  readonly withinBins: number;
}

/**
 * A Brier score taken apart over bins of one width of the probability, closed above. Murphy, "A New
 * Vector Partition of the Probability Score" (1973); what bins leave over: Stephenson, Coelho and
 * Jolliffe, "Two Extra Components in the Brier Score Decomposition" (2008).
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each, in [0, 1].
 * @param options.weights how often each row counts; default once.
 * @returns NaN in each without a label.
 */
export function brierDecomposition(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  {
    count = 10,
    weights,
  }: { readonly count?: number; readonly weights?: Float64Array | undefined } = {},
): BrierDecomposition {
  let n = 0;
  const bins = Array.from({ length: count }, () => ({ n: 0, ones: 0, said: 0 }));
  let ones = 0;
  for (let row = 0; row < labels.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    n += weight;
    const probability = probabilities[row] ?? 0;
    const bin = bins[confidenceBin(probability, count)];
    const label = labels[row] ?? 0;
    ones += weight * label;
    if (bin === undefined) continue;
    bin.n += weight;
    bin.ones += weight * label;
    bin.said += weight * probability;
  }
  const share = ones / n;
  let reliability = 0;
  let resolution = 0;
  for (const bin of bins) {
    if (bin.n === 0) continue;
    reliability += bin.n * square((bin.said - bin.ones) / bin.n);
    resolution += bin.n * square(bin.ones / bin.n - share);
  }
  const uncertainty = share * (1 - share);
  const explained = (reliability - resolution) / n + uncertainty;
  return {
    reliability: reliability / n,
    resolution: resolution / n,
    uncertainty,
    withinBins: brierScore(labels, probabilities, weights) - explained,
  };
}
