import { thresholdCounts } from "./threshold-counts.js";

/**
 * Precision where recall rises, weighted by how much: the sum over distinct scores, the highest
 * first, of (R_k - R_(k-1)) P_k. No line is drawn between points. Zhu, "Recall, Precision and
 * Average Precision" (2004).
 *
 * @param labels 0 or 1 each.
 * @returns in (0, 1], the share of label 1 for equal scores; NaN where no label is 1.
 * @example averagePrecision([1, 0, 1], [0.9, 0.8, 0.1]) // 0.8333333333333333
 */
export function averagePrecision(labels: readonly number[], scores: readonly number[]): number {
  return recallSum(labels, scores, (precision) => precision);
}

/**
 * The area under straight lines between the points of precision over recall, from precision 1 at
 * recall 0. It is another number than average precision, and an optimistic one: Davis and Goadrich,
 * "The Relationship between Precision-Recall and ROC Curves" (2006).
 *
 * @param labels 0 or 1 each.
 * @returns in (0, 1]; NaN where no label is 1.
 * @example precisionRecallArea([1, 0, 1], [0.9, 0.8, 0.1]) // 0.7916666666666666
 */
export function precisionRecallArea(labels: readonly number[], scores: readonly number[]): number {
  return recallSum(labels, scores, (precision, before) => (precision + before) / 2);
}

function recallSum(
  labels: readonly number[],
  scores: readonly number[],
  height: (precision: number, before: number) => number,
): number {
  let sum = 0;
  let found = 0;
  let before = 1;
  for (const { positives, negatives } of thresholdCounts(labels, scores)) {
    const precision = positives / (positives + negatives);
    sum += (positives - found) * height(precision, before);
    found = positives;
    before = precision;
  }
  return sum / found;
}
