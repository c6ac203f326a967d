import { square } from "./elementary/powers.js";

/**
 * Intraclass correlations of two columns in one unit, ICC(A,1) and ICC(C,1): the share of a single
 * number's variance that lies between rows. `absolute` counts a constant shift between the columns as
 * error, `consistency` does not. McGraw and Wong, "Forming Inferences About Some Intraclass Correlation
 * Coefficients" (1996), table 4, two-way: with the mean squares R of rows, C of columns and E of error,
 * (R - E) / (R + E + 2 (C - E) / n) and (R - E) / (R + E).
 *
 * @param weights how often each row counts; each once by default.
 * @returns numbers up to 1; NaN from fewer than two rows, or where nothing varies.
 * @example intraclassCorrelation([1, 2, 3], [2, 3, 4]) // { absolute: 0.666…, consistency: 1 }
 */
export function intraclassCorrelation(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): { readonly absolute: number; readonly consistency: number } {
  const weightOf = (row: number) => (weights === undefined ? 1 : (weights[row] ?? 0));
  let n = 0;
  let sumX = 0;
  let sumY = 0;
  for (let row = 0; row < x.length; row++) {
    n += weightOf(row);
    sumX += weightOf(row) * (x[row] ?? 0);
    sumY += weightOf(row) * (y[row] ?? 0);
  }
  const shift = (sumX - sumY) / n;
  const centre = (sumX + sumY) / (2 * n);
  let rows = 0;
  let error = 0;
  for (let row = 0; row < x.length; row++) {
    const [one, other] = [x[row] ?? 0, y[row] ?? 0];
    rows += 2 * weightOf(row) * square((one + other) / 2 - centre);
    error += (weightOf(row) * square(one - other - shift)) / 2;
  }
  const [r, c, e] = [rows / (n - 1), (n * square(shift)) / 2, error / (n - 1)];
  return {
    absolute: (r - e) / (r + e + (2 * (c - e)) / n),
    consistency: (r - e) / (r + e),
  };
}
