/**
 * The harmonic mean of precision and recall of label 1: 2 TP / (2 TP + FP + FN). van Rijsbergen,
 * "Information Retrieval" (1979).
 *
 * @param labels what is right, 0 or 1 each.
 * @param predictions what was said, 0 or 1 each.
 * @returns in [0, 1]; NaN where neither says 1 of any row.
 * @example f1Score([1, 1, 0], [1, 0, 0]) // 0.6666666666666666
 */
export function f1Score(labels: readonly number[], predictions: readonly number[]): number {
  let both = 0;
  let said = 0;
  labels.forEach((label, index) => {
    const prediction = predictions[index] ?? 0;
    both += label * prediction;
    said += label + prediction;
  });
  return (2 * both) / said;
}
