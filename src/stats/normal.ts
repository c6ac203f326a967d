import { exp } from "./elementary/exponential.js";
import { log } from "./elementary/logarithm.js";

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

/**
 * Below which number a share `p` of the standard normal distribution lies. Abramowitz and Stegun,
 * "Handbook of Mathematical Functions" (1964), 26.2.23, mended by Newton's method on the logarithm;
 * absolute error below 1e-12.
 *
 * @param p in [0, 1].
 * @returns -Infinity for 0, Infinity for 1.
 * @example normalQuantile(0.975) // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0) return -Infinity;
  const t = Math.sqrt(-2 * log(p));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  let size = t - above / below;
  for (let round = 0; round < 4; round++) {
    const tail = normalTails(size) / 2;
    const density = exp(-(size * size) / 2) / Math.sqrt(2 * Math.PI);
    size += (log(tail / p) * tail) / density;
  }
  return -size;
}
