/**
 * The harmonic mean of precision and recall of label 1: 2 TP / (2 TP + FP + FN). van Rijsbergen,
 * "Information Retrieval" (1979).
 *
 * @param labels what is right, 0 or 1 each.
 * @param predictions what was said, 0 or 1 each.
 * @param times how often each pair of the two counts; once by default.
 * @returns in [0, 1]; NaN where neither says 1 of any row.
 * @example f1Score([1, 1, 0], [1, 0, 0]) // 0.6666666666666666
 */
export function f1Score(
  labels: ArrayLike<number>,
  predictions: ArrayLike<number>,
  times?: ArrayLike<number>,
): number {
  let both = 0;
  let said = 0;
  for (let row = 0; row < labels.length; row++) {
    const count = times === undefined ? 1 : (times[row] ?? 0);
    const label = labels[row] ?? 0;
    const prediction = predictions[row] ?? 0;
    both += count * label * prediction;
    said += count * (label + prediction);
  }
  return (2 * both) / said;
}
