import { quantile } from "./quantile.js";

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
  const defined = Float64Array.from(resampled)
    .filter((value) => !Number.isNaN(value))
    .sort();
  if (defined.length === 0) return undefined;
  return [quantile(defined, 0.025), quantile(defined, 0.975)];
}
