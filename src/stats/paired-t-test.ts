import { square } from "./elementary/powers.js";
import { criticalT, studentTPValue } from "./incomplete-beta.js";

/** Null where the data do not define it; `reason` then says why. */
export interface PairedTTest {
  readonly t: number | null;
  /** Degrees of freedom: pairs - 1. */
  readonly df: number | null;
  /** Two-sided. */
  readonly p: number | null;
  readonly meanDifference: number | null;
  /** The 95 % interval of the mean difference. */
  readonly low: number | null;
  readonly high: number | null;
  /** The mean difference in standard deviations of the differences. */
  readonly cohensDz: number | null;
  readonly reason?: string;
}

/**
 * Student's t-test of paired values, before minus after: with d the differences, s their standard
 * deviation (n - 1), t = mean(d) / (s / sqrt(n)) with n - 1 degrees of freedom; interval mean(d) +-
 * t_0.975 s / sqrt(n). Student, "The Probable Error of a Mean" (1908). Effect size d_z = mean(d) / s:
 * Cohen, "Statistical Power Analysis for the Behavioral Sciences" (1988), 2.3.5. The pairs count as
 * independent. Differences that all agree, to rounding, have no spread and so no t.
 *
 * @throws RangeError where the two differ in length.
 * @example pairedTTest([3, 5, 4], [1, 2, 3]).t // 3.464
 */
export function pairedTTest(before: ArrayLike<number>, after: ArrayLike<number>): PairedTTest {
  const found = spreadOf(before, after);
  const { df, mean: meanDifference } = found;
  if (found.deviation === null) {
    const undefinedTest = { t: null, p: null, low: null, high: null, cohensDz: null };
    return { ...undefinedTest, df, meanDifference, reason: found.reason };
  }
  const error = found.deviation / Math.sqrt(before.length);
  const t = found.mean / error;
  const margin = criticalT(0.05, found.df) * error;
  return {
    t,
    df,
    p: studentTPValue(t, found.df),
    meanDifference,
    low: found.mean - margin,
    high: found.mean + margin,
    cohensDz: found.mean / found.deviation,
  };
}

/**
 * `pairedTTest(differences, zeros).cohensDz`, without the test; with weights w, scaled to a mean of 1, of the weighted
 * mean m and s^2 = sum w (d - m)^2 / (n - 1).
 *
 * @example cohensDzOf(Float64Array.of(1, 3), Float64Array.of(1, 3)) // 2.041: m = 2.5, s^2 = 1.5
 */
export function cohensDzOf(differences: Float64Array, weights?: Float64Array): number | null {
  const { mean, deviation, df } = spreadOf(differences, new Float64Array(differences.length));
  if (deviation === null) return null;
  if (weights === undefined) return mean / deviation;
  const all = weights.reduce((sum, each) => sum + each, 0);
  const over = (of: (difference: number) => number) =>
    differences.reduce((sum, each, at) => sum + (weights[at] ?? 0) * of(each), 0) / all;
  const center = over((each) => each);
  const spread = over((each) => square(each - center));
  return center / Math.sqrt((spread * (df + 1)) / df);
}

type Spread =
  | { readonly mean: number; readonly deviation: number; readonly df: number }
  | {
      readonly mean: number | null;
      readonly deviation: null;
      readonly df: number | null;
      readonly reason: string;
    };

function spreadOf(before: ArrayLike<number>, after: ArrayLike<number>): Spread {
  const n = before.length;
  if (after.length !== n) {
    throw new RangeError(`Expected ${n} values after but received ${after.length}`);
  }
  const differences = Float64Array.from(before, (value, at) => value - (after[at] ?? 0));
  const none = { deviation: null, df: null };
  if (n === 0) return { ...none, mean: null, reason: "no complete pair" };
  const mean = differences.reduce((sum, each) => sum + each, 0) / n;
  if (n === 1) return { ...none, mean, reason: "only one pair" };
  const df = n - 1;
  let largest = 0;
  for (let at = 0; at < n; at++) {
    largest = Math.max(largest, Math.abs(before[at] ?? 0), Math.abs(after[at] ?? 0));
  }
  if (differences.every((each) => Math.abs(each - mean) <= 1e-12 * largest)) {
    return { deviation: null, df, mean, reason: "the differences are all equal" };
  }
  const squares = differences.reduce((sum, each) => sum + square(each - mean), 0);
  return { mean, df, deviation: Math.sqrt(squares / df) };
}
