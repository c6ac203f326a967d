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

/**
 * p-values of several tests, adjusted so that among those at most q the expected share of false
 * alarms is at most q, however the tests depend on each other: with the m values in ascending order
 * and c = 1 + 1/2 + … + 1/m, the i-th becomes the least of min(1, p_j m c / j) over j from i on.
 * Benjamini and Yekutieli, "The Control of the False Discovery Rate in Multiple Testing under
 * Dependency" (2001), theorem 1.3.
 *
 * @param p each in [0, 1].
 * @returns in the order given, each in [p, 1].
 * @example benjaminiYekutieli([0.01, 0.04]) // [0.03, 0.06]
 */
export function benjaminiYekutieli(p: readonly number[]): number[] {
  const count = p.length;
  let harmonic = 0;
  for (let rank = 1; rank <= count; rank++) harmonic += 1 / rank;
  const order = p.map((value, index) => ({ value, index })).sort((a, b) => b.value - a.value);
  const adjusted = new Array<number>(count).fill(1);
  let least = 1;
  order.forEach(({ value, index }, at) => {
    least = Math.min(least, (value * count * harmonic) / (count - at));
    adjusted[index] = least;
  });
  return adjusted;
}

/** Adjusts the p-values of tests that were made; null, where none was, stays null. */
export function benjaminiYekutieliWhereTested(p: readonly (number | null)[]): (number | null)[] {
  const adjusted = benjaminiYekutieli(p.filter((value) => value !== null));
  let at = 0;
  return p.map((value) => (value === null ? null : (adjusted[at++] ?? 1)));
}
