import { regularisedIncompleteBeta } from "./regularised-incomplete-beta.js";

/**
 * The two-sided p-value of no association for a Pearson or Spearman correlation: t = r sqrt((n - 2)
 * / (1 - r^2)) with n - 2 degrees of freedom. Exact for Pearson where both columns are normal;
 * Kendall, "Rank Correlation Methods" (1970), 5.8 for ranks. Rows must be independent.
 *
 * @param correlation in [-1, 1].
 * @param n how many rows; below 3 there is no p-value.
 * @returns a number in [0, 1]; NaN where the correlation is, or n is below 3.
 */
export function correlationPValue(correlation: number, n: number): number {
  if (n < 3 || Number.isNaN(correlation)) return Number.NaN;
  // Student's t as a beta variable, without the division by 1 - r^2.
  const rest = (1 - correlation) * (1 + correlation);
  return regularisedIncompleteBeta(rest, (n - 2) / 2, 0.5);
}
