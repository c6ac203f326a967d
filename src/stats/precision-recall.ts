import type { ThresholdCounts } from "./threshold-counts.js";

/**
 * Precision where recall rises, weighted by how much: the sum over distinct scores, the highest
 * first, of (R_k - R_(k-1)) P_k. No line is drawn between points. Zhu, "Recall, Precision and
 * Average Precision" (2004).
 *
 * @returns in (0, 1], the share of label 1 for equal scores; NaN where no label is 1.
 * @example averagePrecision(thresholdCounts([1, 0, 1], ranked([0.9, 0.8, 0.1])))
 *   // 0.8333333333333333
 */
export function averagePrecision(counts: ThresholdCounts): number {
  return recallSum(counts, (precision) => precision);
}

/**
 * The area under straight lines between the points of precision over recall, by trapezoids, from
 * precision 1 at recall 0: what is often called AUC-PR. It is another number than average precision,
 * and an optimistic one: Davis and Goadrich, "The Relationship between Precision-Recall and ROC
 * Curves" (2006).
 *
 * @returns in (0, 1]; NaN where no label is 1.
 * @example precisionRecallArea(thresholdCounts([1, 0, 1], ranked([0.9, 0.8, 0.1])))
 *   // 0.7916666666666666
 */
export function precisionRecallArea(counts: ThresholdCounts): number {
  return recallSum(counts, (precision, before) => (precision + before) / 2);
}

function recallSum(
  { positives, negatives }: ThresholdCounts,
  height: (precision: number, before: number) => number,
): number {
  let sum = 0;
  let found = 0;
  let before = 1;
  for (let at = 0; at < positives.length; at++) {
    const positive = positives[at] ?? 0;
    const accepted = positive + (negatives[at] ?? 0);
    // No row of a resample may have the highest scores.
    if (accepted === 0) continue;
    const precision = positive / accepted;
    sum += (positive - found) * height(precision, before);
    found = positive;
    before = precision;
  }
  return sum / found;
}
