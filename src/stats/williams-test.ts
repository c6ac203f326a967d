import { square } from "./elementary/powers.js";
import { studentTPValue } from "./incomplete-beta.js";

/**
 * Williams' test of two correlations with the same third column: whether x or y follows z more closely,
 * where all three are of the same independent rows. Williams, "Regression Analysis" (1959), as
 * Steiger, "Tests for Comparing Elements of a Correlation Matrix" (1980), equation 7, has it:
 * t = (rx - ry) root of (n - 1)(1 + rxy) / (2 (n - 1)/(n - 3) D + m^2 (1 - rxy)^3), D the determinant of the
 * matrix of the three, m the mean of rx and ry.
 *
 * @param options.x correlation of x with z; `y` of y with z; `between` of x with y.
 * @returns t, its n - 3 degrees of freedom and the two-sided p; NaN from fewer than four rows.
 * @example williamsTest({ x: 0.5, y: 0.3, between: 0.4, n: 103 }).t // 2.096…
 */
export function williamsTest({
  x,
  y,
  between,
  n,
}: {
  readonly x: number;
  readonly y: number;
  readonly between: number;
  readonly n: number;
}): { readonly t: number; readonly df: number; readonly p: number } {
  const df = n - 3;
  const determinant = 1 - square(x) - square(y) - square(between) + 2 * x * y * between;
  const apart = 1 - between;
  const below =
    2 * ((n - 1) / df) * Math.max(0, determinant) + square((x + y) / 2) * apart * square(apart);
  if (df < 1 || !(below > 0)) return { t: Number.NaN, df, p: Number.NaN };
  const t = (x - y) * Math.sqrt(((n - 1) * (1 + between)) / below);
  return { t, df, p: studentTPValue(t, df) };
}
