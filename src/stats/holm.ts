/**
 * p-values of several tests, adjusted so that the chance of even one false alarm among those at most
 * alpha is at most alpha, however the tests depend on each other: with the m values in ascending
 * order, the i-th (from 1) becomes the greatest of min(1, (m - j + 1) p_j) over j up to i. Holm, "A
 * Simple Sequentially Rejective Multiple Test Procedure" (1979).
 *
 * @param p each in [0, 1].
 * @returns in the order given, each in [p, 1].
 * @example holm([0.01, 0.04]) // [0.02, 0.04]
 */
export function holm(p: readonly number[]): number[] {
  const count = p.length;
  const order = p.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(count).fill(1);
  let most = 0;
  order.forEach(({ value, index }, at) => {
    most = Math.max(most, Math.min(1, value * (count - at)));
    adjusted[index] = most;
  });
  return adjusted;
}
