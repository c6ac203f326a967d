import { quantile } from "./quantile.js";
import { select } from "./select.js";

/**
 * The 2.5 % and 97.5 % quantiles (type 7) of a statistic's resampled values, those left out in which
 * it is undefined. Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 13.3.
 *
 * @param resampled NaN where undefined.
 * @returns undefined where no resample gave a value.
 * @example percentileInterval([0, 1, 2, 3, 4]) // [0.1, 3.9]
 */
export function percentileInterval(
  resampled: ArrayLike<number>,
): [low: number, high: number] | undefined {
  const values = definedValues(resampled);
  if (values.length === 0) return undefined;
  return [quantileOf(values, 0.025), quantileOf(values, 0.975)];
}

function definedValues(resampled: ArrayLike<number>): Float64Array {
  const values = new Float64Array(resampled.length);
  let count = 0;
  for (let at = 0; at < resampled.length; at++) {
    const value = resampled[at] ?? Number.NaN;
    if (!Number.isNaN(value)) values[count++] = value;
  }
  return values.subarray(0, count);
}

/** As `quantile`, of numbers in any order: only the two that it lies between are put in their places. */
function quantileOf(values: Float64Array, p: number): number {
  const below = Math.floor((values.length - 1) * p);
  select(values, below);
  if (below + 1 < values.length) select(values.subarray(below + 1), 0);
  return quantile(values, p);
}
