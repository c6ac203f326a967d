import { regularisedIncompleteBeta } from "./regularised-incomplete-beta.js";

/**
 * The probability that Student's t with `df` degrees of freedom lies at least as far from 0 as `t`:
 * I_x(df / 2, 1 / 2) at x = df / (df + t^2), I the regularised incomplete beta function. Abramowitz
 * and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.1.
 *
 * @param df above 0.
 * @returns a number in [0, 1].
 * @example studentTPValue(2.228139, 10) // 0.05
 */
export function studentTPValue(t: number, df: number): number {
  return regularisedIncompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/**
 * The t that is exceeded in either direction with probability `p`: the inverse of `studentTPValue`, by
 * bisection.
 *
 * @param p in (0, 1].
 * @param df at least 1.
 * @example criticalT(0.05, 10) // 2.228
 */
export function criticalT(p: number, df: number): number {
  if (p !== last.p || df !== last.df) last = { p, df, t: bisected(p, df) };
  return last.t;
}

/** The intervals of one table ask for the same again and again. */
let last = { p: Number.NaN, df: Number.NaN, t: Number.NaN };

function bisected(p: number, df: number): number {
  let low = 0;
  let high = 1;
  while (studentTPValue(high, df) > p) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentTPValue(middle, df) > p) low = middle;
    else high = middle;
  }
  return high;
}
