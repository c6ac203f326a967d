import { exp, expm1 } from "../stats/elementary/exponential.js";
import { log1p } from "../stats/elementary/logarithm.js";
import { regularisedIncompleteBeta } from "../stats/incomplete-beta.js";

/**
 * The probability of at most so many errors among `n` independent answers that are each wrong with
 * probability `rate`: I_(1 - rate)(n - errors, errors + 1) (NIST Digital Library of Mathematical
 * Functions, 8.17.5). As the p-value of "the error rate is above `rate`" it is exact.
 *
 * @param errors a whole number from 0 to n.
 * @param rate in [0, 1].
 * @example atMostErrors(0, 59, 0.05) // 0.0485
 */
export function atMostErrors(errors: number, n: number, rate: number): number {
  if (errors >= n) return 1;
  // The closed form is the same number with less rounding.
  if (errors === 0) return exp(n * log1p(-rate));
  return regularisedIncompleteBeta(1 - rate, n - errors, errors + 1);
}

/**
 * How large the error rate may still be, at a one-sided confidence, when `errors` of `n` independent
 * answers were wrong: the rate at which so few errors have probability 1 - confidence. Clopper and
 * Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial" (1934).
 * Never too small, whatever the rate.
 *
 * @param errors a whole number from 0 to n.
 * @param confidence in (0, 1).
 * @returns a rate in [0, 1], right to 1e-12; 1 where every answer was wrong, or there is none.
 * @example binomialUpperBound(0, 20, 0.95) // 0.139
 */
export function binomialUpperBound(errors: number, n: number, confidence: number): number {
  if (errors >= n) return 1;
  if (errors === 0) return -expm1(log1p(-confidence) / n);
  let low = errors / n;
  let high = 1;
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (atMostErrors(errors, n, middle) > 1 - confidence) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The fewest answers of which `errors` may be wrong while the upper bound of the error rate stays at
 * or under `target`.
 *
 * @param target in (0, 1).
 * @example answersNeeded(0, { target: 0.05, confidence: 0.95 }) // 59
 */
export function answersNeeded(
  errors: number,
  { target, confidence }: { readonly target: number; readonly confidence: number },
): number {
  const isEnough = (n: number) => atMostErrors(errors, n, target) <= 1 - confidence;
  let low = errors;
  let high = errors + 1;
  while (!isEnough(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
