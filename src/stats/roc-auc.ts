import { thresholdCounts } from "./threshold-counts.js";

/**
 * How likely a row of label 1 has a higher score than one of label 0, a tie counting half: the area
 * under the receiver operating characteristic. Hanley and McNeil, "The Meaning and Use of the Area
 * under a Receiver Operating Characteristic (ROC) Curve" (1982).
 *
 * @param labels 0 or 1 each.
 * @returns in [0, 1], 0.5 for tossing a coin; NaN where a label is missing.
 * @example rocAuc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]) // 0.875
 */
export function rocAuc(labels: readonly number[], scores: readonly number[]): number {
  let area = 0;
  let before = { positives: 0, negatives: 0 };
  for (const count of thresholdCounts(labels, scores)) {
    area += ((count.negatives - before.negatives) * (count.positives + before.positives)) / 2;
    before = count;
  }
  return area / (before.positives * before.negatives);
}
