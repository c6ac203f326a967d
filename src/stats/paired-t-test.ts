import { square } from "./elementary/powers.js";
import { criticalT, studentTPValue } from "./student-t.js";

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
export function pairedTTest(before: readonly number[], after: readonly number[]): PairedTTest {
  const n = before.length;
  if (after.length !== n) {
    throw new RangeError(`Expected ${n} values after but received ${after.length}`);
  }
  const differences = before.map((value, index) => value - (after[index] ?? 0));
  const undefinedTest = { t: null, df: null, p: null, low: null, high: null, cohensDz: null };
  if (n === 0) return { ...undefinedTest, meanDifference: null, reason: "no complete pair" };
  const mean = differences.reduce((sum, each) => sum + each, 0) / n;
  if (n === 1) return { ...undefinedTest, meanDifference: mean, reason: "only one pair" };

  const df = n - 1;
  const largest = before.concat(after).reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  if (differences.every((each) => Math.abs(each - mean) <= 1e-12 * largest)) {
    return { ...undefinedTest, df, meanDifference: mean, reason: "the differences are all equal" };
  }
  const deviation = Math.sqrt(differences.reduce((sum, each) => sum + square(each - mean), 0) / df);
  const error = deviation / Math.sqrt(n);
  const t = mean / error;
  const margin = criticalT(0.05, df) * error;
  return {
    t,
    df,
    p: studentTPValue(t, df),
    meanDifference: mean,
    low: mean - margin,
    high: mean + margin,
    cohensDz: mean / deviation,
  };
}
