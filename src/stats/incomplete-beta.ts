import { exp } from "./elementary/exponential.js";
import { log, log1p } from "./elementary/logarithm.js";

/**
 * The regularised incomplete beta function I_x(a, b): the probability that a beta variable with
 * these parameters is at most x. By its continued fraction (NIST Digital Library of Mathematical
 * Functions, 8.17.22), which converges fast for x below (a + 1) / (a + b + 2); beyond, by
 * I_x(a, b) = 1 - I_{1 - x}(b, a) (8.17.4).
 *
 * @param x in [0, 1].
 * @param a above 0.
 * @param b above 0.
 * @returns a number in [0, 1], right to about 12 digits.
 * @example regularisedIncompleteBeta(0.5, 2, 2) // 0.5
 */
export function regularisedIncompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = exp(
    a * log(x) + b * log1p(-x) + logGamma(a + b) - logGamma(a) - (b === 0.5 ? ofHalf : logGamma(b)),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front / a) * continuedFraction(x, a, b)
    : 1 - (front / b) * continuedFraction(1 - x, b, a);
}

const mostSteps = 100_000;

/** 1 / (1 + d1 / (1 + d2 / …)) from the front, by Lentz's method; no term may be 0. */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const awayFromZero = (number: number) => (Math.abs(number) < tiny ? tiny : number);
  let above = 1;
  let below = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = below;
  for (let m = 1; m <= mostSteps; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      below = 1 / awayFromZero(1 + term * below);
      above = awayFromZero(1 + term / above);
      change = above * below;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return value;
}

/** Stirling's series, for which the argument is first raised to 12 (same source, 5.5.1, 5.11.1). */
function logGamma(x: number): number {
  let factors = 0;
  let z = x;
  for (; z < 12; z++) factors += log(z);
  const square = z * z;
  const series =
    (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) /
    z;
  return (z - 0.5) * log(z) - z + 0.5 * log(2 * Math.PI) + series - factors;
}

/** Student's t asks for it each time. */
const ofHalf = logGamma(0.5);

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

/**
 * Whether `shown` of `of` independent draws speak against a share: p, two-sided, is twice the smaller
 * tail of the binomial distribution, at most 1. It is below 0.05 where the 95 % interval of Clopper
 * and Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial"
 * (1934), leaves the share out.
 *
 * @param options.shown a whole number from 0 to `of`.
 * @param options.share in (0, 1).
 * @returns p in [0, 1]; 1 without a draw.
 * @example binomialTest({ shown: 6, of: 6, share: 0.5 }) // 0.03125
 */
export function binomialTest({
  shown,
  of,
  share,
}: {
  readonly shown: number;
  readonly of: number;
  readonly share: number;
}): number {
  const atLeast = shown === 0 ? 1 : regularisedIncompleteBeta(share, shown, of - shown + 1);
  const atMost = shown === of ? 1 : regularisedIncompleteBeta(1 - share, of - shown, shown + 1);
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}
