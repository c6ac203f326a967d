/**
 * The `p`-quantile of sorted numbers by linear interpolation of the order statistics: with
 * h = (n - 1) p, x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]). It is type 7 of Hyndman
 * and Fan, "Sample Quantiles in Statistical Packages" (1996), the default of R and NumPy.
 *
 * @param sorted ascending, without NaN; at least one number.
 * @param p in [0, 1].
 * @throws RangeError where there is no number.
 * @example quantile([1, 2, 3, 4], 0.5) // 2.5
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const lower = sorted[below];
  if (lower === undefined) throw new RangeError("Expected at least one number for a quantile");
  const upper = sorted[below + 1] ?? lower;
  return lower + (position - below) * (upper - lower);
}
