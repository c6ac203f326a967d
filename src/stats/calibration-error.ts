import { ranked } from "./ranked.js";
import { type ReliabilityBin, topLabel } from "./reliability-bins.js";
import { type ThresholdCounts, thresholdCounts } from "./threshold-measures.js";

/**
 * How far confidence lies from accuracy: the mean over answers of |accuracy - mean confidence| of
 * the bin that the answer is in. Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated
 * Probabilities Using Bayesian Binning" (2015).
 *
 * @returns a number in [0, 1]; 0 for perfect calibration; NaN without an answer.
 * @example expectedCalibrationError(reliabilityBins([1, 1], [0.9, 0.9])) // 0.1
 */
export function expectedCalibrationError(bins: readonly ReliabilityBin[]): number {
  let n = 0;
  let sum = 0;
  for (const bin of bins) {
    if (bin.accuracy === null || bin.confidence === null) continue;
    n += bin.n;
    sum += bin.n * Math.abs(bin.accuracy - bin.confidence);
  }
  return sum / n;
}

/**
 * How far confidence lies from accuracy in the worst bin: the largest |accuracy - mean confidence|.
 * A bin of few answers decides it as well as one of many. Naeini, Cooper and Hauskrecht, "Obtaining
 * Well Calibrated Probabilities Using Bayesian Binning" (2015).
 *
 * @returns a number in [0, 1]; NaN without an answer.
 * @example maximumCalibrationError(reliabilityBins([1, 1], [0.9, 0.9])) // 0.1
 */
export function maximumCalibrationError(bins: readonly ReliabilityBin[]): number {
  let largest = Number.NaN;
  for (const { accuracy, confidence } of bins) {
    if (accuracy === null || confidence === null) continue;
    const error = Math.abs(accuracy - confidence);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

/** Coverage and error when answering only at or above a confidence threshold. */
export interface CoveragePoint {
  /** The share of rows that are answered. */
  readonly coverage: number;
  /** The share of wrong ones among them. */
  readonly error: number;
  readonly threshold: number;
}

/**
 * How many answers are wrong when the least confident are left out: a point for each distinct
 * confidence max(p, 1 - p), the highest first. The answer is 1 where p is at least 0.5. El-Yaniv and
 * Wiener, "On the Foundations of Noise-free Selective Classification" (2010).
 *
 * @param labels what is right, 0 or 1 each.
 * @param probabilities P(label is 1) for each.
 * @param weights how often each row counts; default once.
 * @example errorCoverage([1, 1], [0.9, 0.4])
 *   // [{ coverage: 0.5, error: 0, threshold: 0.9 }, { coverage: 1, error: 0.5, threshold: 0.6 }]
 */
export function errorCoverage(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  weights?: Float64Array,
): CoveragePoint[] {
  const { outcomes, confidences } = topLabel(labels, probabilities);
  const { positives, negatives } = thresholdCounts(outcomes, ranked(confidences), weights);
  const all =
    weights === undefined ? labels.length : weights.reduce((sum, weight) => sum + weight, 0);
  const sorted = confidences.slice().sort();
  const points: CoveragePoint[] = [];
  for (let place = sorted.length - 1; place >= 0; place--) {
    const threshold = sorted[place] ?? 0;
    if (threshold === sorted[place + 1]) continue;
    const wrong = negatives[points.length] ?? 0;
    const accepted = (positives[points.length] ?? 0) + wrong;
    points.push({ coverage: accepted / all, error: wrong / accepted, threshold });
  }
  return points;
}

/**
 * The area under the curve from coverage 0 to 1, each error standing for the rows that its threshold
 * adds: the mean error over all coverages. Geifman, Uziel and El-Yaniv, "Bias-Reduced Uncertainty
 * Estimation for Deep Neural Classifiers" (2019).
 *
 * @param counts of right (positives) and wrong answers by confidence.
 * @returns in [0, 1], less is better; NaN without a row.
 */
export function errorCoverageArea({ positives, negatives }: ThresholdCounts): number {
  let area = 0;
  let before = 0;
  for (let at = 0; at < positives.length; at++) {
    const wrong = negatives[at] ?? 0;
    const accepted = (positives[at] ?? 0) + wrong;
    if (accepted === 0) continue;
    area += ((accepted - before) * wrong) / accepted;
    before = accepted;
  }
  return area / before;
}
