import type { ReliabilityBin } from "./reliability-bins.js";

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
