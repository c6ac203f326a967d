import type { Ranked } from "./ranked.js";

/** How many rows are accepted at or above each score, the highest score first. */
export interface ThresholdCounts {
  /** How many of label 1 have this score or more. */
  readonly positives: Float64Array;
  /** How many of label 0. */
  readonly negatives: Float64Array;
}

/**
 * How many of each label have a score or more: a point for each distinct score, the highest first,
 * so that equal scores are accepted together or not at all. Linear in rows: nothing is sorted.
 *
 * @param labels 0 or 1 each.
 * @param scores of the same rows.
 * @param weights how often each row counts; each once by default.
 * @throws RangeError where labels and scores differ in length.
 * @example thresholdCounts([1, 0, 1], ranked([0.9, 0.4, 0.4]))
 *   // { positives: [1, 2], negatives: [0, 1] }
 */
export function thresholdCounts(
  labels: ArrayLike<number>,
  { level, levels }: Ranked,
  weights?: ArrayLike<number>,
): ThresholdCounts {
  if (labels.length !== level.length) {
    throw new RangeError(`Expected ${labels.length} scores but received ${level.length}`);
  }
  const positives = new Float64Array(levels);
  const negatives = new Float64Array(levels);
  for (let row = 0; row < level.length; row++) {
    const at = levels - 1 - (level[row] ?? 0);
    const into = labels[row] === 1 ? positives : negatives;
    into[at] = (into[at] ?? 0) + (weights === undefined ? 1 : (weights[row] ?? 0));
  }
  for (let at = 1; at < levels; at++) {
    positives[at] = (positives[at] ?? 0) + (positives[at - 1] ?? 0);
    negatives[at] = (negatives[at] ?? 0) + (negatives[at - 1] ?? 0);
  }
  return { positives, negatives };
}
