/**
 * The share of all pairs of rows that a metric orders as people do, ties included: a pair is right
 * where both prefer the same row, and where both tie. The metric ties scores that differ by no more
 * than epsilon. Deutsch, Foster and Freitag, "Ties Matter: Meta-Evaluating Modern Metrics with
 * Pairwise Accuracy and Tie Calibration" (2023), equation 9. Quadratic in rows.
 *
 * @param scores the metric's.
 * @param ratings people's, of the same rows; equal ones are ties.
 * @param epsilon at least 0.
 * @returns the share, in [0, 1], and by how much it moves with the weight of each row (Hajek's
 *   projection); NaN with fewer than two rows.
 * @example tieAccuracy([0.1, 0.12, 0.9], [1, 1, 2], 0.05).accuracy // 1
 */
export function tieAccuracy(
  scores: ArrayLike<number>,
  ratings: ArrayLike<number>,
  epsilon: number,
): { readonly accuracy: number; readonly influence: Float64Array } {
  const rows = scores.length;
  const right = new Float64Array(rows);
  let sum = 0;
  for (let row = 1; row < rows; row++) {
    const score = scores[row] ?? 0;
    const rating = ratings[row] ?? 0;
    let own = 0;
    for (let other = 0; other < row; other++) {
      const apart = score - (scores[other] ?? 0);
      const order = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart);
      if (order !== Math.sign(rating - (ratings[other] ?? 0))) continue;
      own += 1;
      right[other] = (right[other] ?? 0) + 1;
    }
    right[row] = (right[row] ?? 0) + own;
    sum += own;
  }
  const accuracy = sum / ((rows * (rows - 1)) / 2);
  return {
    accuracy,
    influence: right.map((own) => (2 * (own / (rows - 1) - accuracy)) / rows),
  };
}

/**
 * The epsilon with the highest `tieAccuracy`, the smallest of several: a metric with continuous scores
 * never ties, so that without one it gets every tie of people's wrong. As epsilon grows past a pair's
 * difference, a pair that people tie becomes right, and one that was in their order wrong. O(n^2 log n)
 * in time and 8 bytes a pair. Chosen on some rows it is optimistic of the same: ask others.
 *
 * @param scores the metric's.
 * @param ratings people's, of the same rows; equal ones are ties.
 * @returns 0 where no tie is worth it, or the difference of two scores.
 * @example tieEpsilon([0.1, 0.12, 0.9], [1, 1, 2]) // 0.02 (0.12 - 0.1)
 */
export function tieEpsilon(scores: ArrayLike<number>, ratings: ArrayLike<number>): number {
  const rows = scores.length;
  const pairs = (rows * (rows - 1)) / 2;
  const gains = new Float64Array(pairs);
  const losses = new Float64Array(pairs);
  let [gained, lost] = [0, 0];
  for (let row = 1; row < rows; row++) {
    for (let other = 0; other < row; other++) {
      const apart = (scores[row] ?? 0) - (scores[other] ?? 0);
      const preferred = Math.sign((ratings[row] ?? 0) - (ratings[other] ?? 0));
      if (preferred === 0) gains[gained++] = Math.abs(apart);
      else if (preferred === Math.sign(apart)) losses[lost++] = Math.abs(apart);
    }
  }
  const gain = gains.subarray(0, gained).sort();
  const loss = losses.subarray(0, lost).sort();
  let best = { epsilon: 0, more: 0 };
  let passed = 0;
  let exact = 0;
  while (gain[exact] === 0) exact += 1;
  for (let at = exact; at < gained; at++) {
    const epsilon = gain[at] ?? 0;
    if (gain[at + 1] === epsilon) continue;
    while (passed < lost && (loss[passed] ?? 0) <= epsilon) passed += 1;
    const more = at + 1 - exact - passed;
    if (more > best.more) best = { epsilon, more };
  }
  return best.epsilon;
}
