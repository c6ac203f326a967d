import { log } from "./logarithm.js";

/**
 * The logarithmic derivative of the gamma function, to 1e-12: recurrence up to 10, then the asymptotic series
 * (Abramowitz and Stegun, 6.3.5 and 6.3.18).
 *
 * @param x above 0.
 * @example digamma(1) // -0.5772156649: minus Euler's constant
 */
export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 10; at++) sum -= 1 / at;
  const square = 1 / (at * at);
  const series =
    square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))));
  return sum + log(at) - 0.5 / at - series;
}
