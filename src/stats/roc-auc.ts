import type { ThresholdCounts } from "./threshold-counts.js";

/**
 * How likely a row of label 1 has a higher score than one of label 0, a tie counting half: the area
 * under the receiver operating characteristic. Hanley and McNeil, "The Meaning and Use of the Area
 * under a Receiver Operating Characteristic (ROC) Curve" (1982).
 *
 * @returns in [0, 1], 0.5 for tossing a coin; NaN where a label is missing.
 * @example rocAuc(thresholdCounts([1, 0, 1, 0], ranked([0.9, 0.4, 0.4, 0.1]))) // 0.875
 */
export function rocAuc({ positives, negatives }: ThresholdCounts): number {
  let area = 0;
  let positivesBefore = 0;
  let negativesBefore = 0;
  for (let at = 0; at < positives.length; at++) {
    const positive = positives[at] ?? 0;
    const negative = negatives[at] ?? 0;
    area += ((negative - negativesBefore) * (positive + positivesBefore)) / 2;
    positivesBefore = positive;
    negativesBefore = negative;
  }
  return area / (positivesBefore * negativesBefore);
}
