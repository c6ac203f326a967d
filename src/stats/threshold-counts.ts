/** What is accepted at or above a score. */
export interface ThresholdCount {
  readonly threshold: number;
  /** How many of label 1 have this score or more. */
  readonly positives: number;
  /** How many of label 0. */
  readonly negatives: number;
}

/**
 * How many of each label have a score or more: a point for each distinct score, the highest first,
 * so that equal scores are accepted together or not at all.
 *
 * @param labels 0 or 1 each.
 * @throws RangeError where the two differ in length.
 * @example thresholdCounts([1, 0, 1], [0.9, 0.4, 0.4])
 *   // [{ threshold: 0.9, positives: 1, negatives: 0 }, { threshold: 0.4, positives: 2, negatives: 1 }]
 */
export function thresholdCounts(
  labels: readonly number[],
  scores: readonly number[],
): ThresholdCount[] {
  if (labels.length !== scores.length) {
    throw new RangeError(`Expected ${labels.length} scores but received ${scores.length}`);
  }
  const falling = scores.map((score, index) => ({ score, label: labels[index] ?? 0 }));
  falling.sort((a, b) => b.score - a.score);
  const counts: ThresholdCount[] = [];
  let positives = 0;
  let negatives = 0;
  falling.forEach(({ score, label }, index) => {
    if (label === 1) positives += 1;
    else negatives += 1;
    if (falling[index + 1]?.score === score) return;
    counts.push({ threshold: score, positives, negatives });
  });
  return counts;
}
