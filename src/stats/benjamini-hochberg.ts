/**
 * p-values of several tests, adjusted so that among those at most q the expected share of false
 * alarms is at most q where the tests are independent or depend positively: with the m values in
 * ascending order, the i-th becomes the least of min(1, p_j m / j) over j from i on. Benjamini and
 * Hochberg, "Controlling the False Discovery Rate" (1995).
 *
 * @param p each in [0, 1].
 * @returns in the order given, each in [p, 1].
 * @example benjaminiHochberg([0.01, 0.04]) // [0.02, 0.04]
 */
export function benjaminiHochberg(p: readonly number[]): number[] {
  const count = p.length;
  const order = p.map((value, index) => ({ value, index })).sort((a, b) => b.value - a.value);
  const adjusted = new Array<number>(count).fill(1);
  let least = 1;
  order.forEach(({ value, index }, at) => {
    least = Math.min(least, (value * count) / (count - at));
    adjusted[index] = least;
  });
  return adjusted;
}
