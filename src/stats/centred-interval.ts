import { atanh, tanh } from "./elementary/hyperbolic.js";
import { percentileInterval, quantile } from "./percentile-interval.js";

/**
 * The 2.5 % and 97.5 % quantiles of resampled values, moved so that their median lies at `value`: for
 * a value that spreads as the resampled ones do, but does not lie in their middle, as when each is a
 * mean over a few random dealings of its own. Where bounds of the statistic are given, they are moved
 * on Fisher's scale, z = atanh((2 x - low - high) / (high - low)), so that they stay within; not where
 * value or median lie at a bound, where they are widened to hold the value.
 *
 * @param resampled NaN where undefined.
 * @returns undefined where no resample gave a value.
 * @example centredInterval(1, [0, 1, 2, 3, 4]) // [-0.9, 2.9]
 */
export function centredInterval(
  value: number,
  resampled: ArrayLike<number>,
  bounds?: readonly [low: number, high: number],
): [low: number, high: number] | undefined {
  const interval = percentileInterval(resampled);
  if (interval === undefined) return undefined;
  const defined = Float64Array.from(resampled)
    .filter((one) => !Number.isNaN(one))
    .sort();
  const median = quantile(defined, 0.5);
  const [low, high] = interval;
  if (bounds === undefined) return [value + (low - median), value + (high - median)];
  const [least, most] = bounds;
  const z = (x: number) => atanh((2 * x - least - most) / (most - least));
  const moved = z(value) - z(median);
  if (!Number.isFinite(moved)) return [Math.min(low, value), Math.max(high, value)];
  const back = (x: number) => ((most - least) * tanh(z(x) + moved) + least + most) / 2;
  return [back(low), back(high)];
}
