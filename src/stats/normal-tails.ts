import { exp } from "./elementary/exponential.js";
/**
 * The share of a standard normal distribution that lies at least |z| from 0, erfc(|z| / sqrt 2):
 * the two-sided p-value of z. Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964),
 * 26.2.11 (series, near 0) and 26.2.14 (continued fraction); relative error below 1e-12.
 *
 * @returns a number in [0, 1].
 * @example normalTails(1.959963984540054) // 0.05
 */
export function normalTails(z: number): number {
  const size = Math.abs(z);
  const density = exp(-(size * size) / 2) / Math.sqrt(2 * Math.PI);
  if (size < 2.5) {
    let term = size;
    let sum = size;
    for (let k = 1; term > sum * 1e-17; k++) {
      term *= (size * size) / (2 * k + 1);
      sum += term;
    }
    return 1 - 2 * density * sum;
  }
  let fraction = 0;
  for (let k = 120; k >= 1; k--) fraction = k / (size + fraction);
  return (2 * density) / (size + fraction);
}
