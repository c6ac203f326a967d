import { powerOfTwo } from "./elementary/float-words.js";
import { ceilLog2 } from "./elementary/powers.js";
import { regularisedIncompleteBeta } from "./regularised-incomplete-beta.js";

/**
 * Pearson's correlation: sum of (x - mean x)(y - mean y) over the root of the product of both sums
 * of squares. Pearson, "Note on Regression and Inheritance in the Case of Two Parents" (1895).
 * Numbers are scaled by a power of two, so that no square overflows and no digit is lost, and the mean
 * is corrected by the mean of what remains, so that a large offset costs none either (Chan, Golub and
 * LeVeque, "Algorithms for Computing the Sample Variance", 1983).
 *
 * @param weights how often each row counts; each once by default.
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example pearson([1, 2, 3], [2, 4, 7]) // 0.9933992677987828
 */
export function pearson(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  const ofX = centre(x, weights);
  const ofY = centre(y, weights);
  if (!ofX.varies || !ofY.varies) return Number.NaN;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let row = 0; row < x.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    const dx = (x[row] ?? 0) * ofX.scale - ofX.mean - ofX.rest;
    const dy = (y[row] ?? 0) * ofY.scale - ofY.mean - ofY.rest;
    xx += weight * dx * dx;
    yy += weight * dy * dy;
    xy += weight * dx * dy;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

/** Centre of a column whose numbers are multiplied by `scale`: the mean, and what it was rounded by. */
export interface Centre {
  /** A power of two: the largest number times it lies in (0.5, 1]. */
  readonly scale: number;
  readonly mean: number;
  readonly rest: number;
  readonly varies: boolean;
}

/** The centre of the rows that count. */
export function centre(values: ArrayLike<number>, weights?: ArrayLike<number>): Centre {
  let largest = 0;
  let first: number | undefined;
  let varies = false;
  for (let row = 0; row < values.length; row++) {
    if (weights !== undefined && (weights[row] ?? 0) === 0) continue;
    const value = values[row] ?? 0;
    if (first === undefined) first = value;
    else if (value !== first) varies = true;
    const size = Math.abs(value);
    if (size > largest) largest = size;
  }
  const scale = largest === 0 ? 1 : powerOfTwo(Math.max(-1022, -ceilLog2(largest)));
  const mean = meanFrom(0, { values, weights, scale });
  return { scale, mean, rest: meanFrom(mean, { values, weights, scale }), varies };
}

/** The mean distance from a number. */
function meanFrom(
  from: number,
  {
    values,
    weights,
    scale,
  }: {
    readonly values: ArrayLike<number>;
    readonly weights: ArrayLike<number> | undefined;
    readonly scale: number;
  },
): number {
  let sum = 0;
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    sum += weight * ((values[row] ?? 0) * scale - from);
    count += weight;
  }
  return sum / count;
}

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
