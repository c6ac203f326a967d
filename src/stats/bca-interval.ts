import { square } from "./elementary/powers.js";
import { normalQuantile, normalTails } from "./normal.js";
import { quantile } from "./percentile-interval.js";

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * The 95 % bias-corrected and accelerated bootstrap interval: quantiles of the resampled values like
 * the percentile interval's, but at the shares Phi(z0 + (z0 +- 1.96) / (1 - a (z0 +- 1.96))). z0 is
 * the normal quantile of the share of resamples below the value (those equal to it count half),
 * a = sum u^3 / (6 (sum u^2)^1.5) with u the mean of the jackknifed values minus each. Efron, "Better
 * Bootstrap Confidence Intervals" (1987); Efron and Tibshirani, "An Introduction to the Bootstrap"
 * (1993), 14.3.
 *
 * @param options.value of the statistic.
 * @param options.resampled NaN where undefined; such resamples are left out.
 * @param options.jackknifed the statistic without each cluster; the order does not matter.
 * @returns a reason where the data give no such interval.
 */
export function bcaInterval({
  value,
  resampled,
  jackknifed,
}: {
  readonly value: number;
  readonly resampled: Float64Array;
  readonly jackknifed: Float64Array;
}): [low: number, high: number] | { readonly reason: string } {
  const sorted = resampled.filter((each) => !Number.isNaN(each)).sort();
  if (sorted.length === 0) return { reason: "no resample has a value" };
  let below = 0;
  for (const each of sorted) below += each < value ? 1 : each === value ? 0.5 : 0;
  if (below === 0 || below === sorted.length) {
    return { reason: "all resamples lie on one side of the value" };
  }
  const bias = normalQuantile(below / sorted.length);
  const acceleration = accelerationOf(jackknifed);
  if (typeof acceleration !== "number") return acceleration;
  const ends = [-z, z].map((end) => {
    const moved = 1 - acceleration * (bias + end);
    return moved > 0 ? quantile(sorted, normalShare(bias + (bias + end) / moved)) : Number.NaN;
  });
  const [low = Number.NaN, high = Number.NaN] = ends;
  return Number.isNaN(low) || Number.isNaN(high)
    ? { reason: "the statistic is too skewed for an accelerated interval" }
    : [low, high];
}

function accelerationOf(jackknifed: Float64Array): number | { readonly reason: string } {
  if (jackknifed.some(Number.isNaN)) return { reason: "undefined without one of the clusters" };
  const mean = jackknifed.reduce((sum, each) => sum + each, 0) / jackknifed.length;
  const largest = jackknifed.reduce((most, each) => Math.max(most, Math.abs(mean - each)), 0);
  // Less than rounding: leaving any one cluster out changes nothing.
  if (largest <= 1e-14 * Math.max(1, Math.abs(mean))) {
    return { reason: "leaving any one cluster out changes nothing" };
  }
  let squares = 0;
  let cubes = 0;
  for (const each of jackknifed) {
    const moves = (mean - each) / largest;
    squares += square(moves);
    cubes += moves * square(moves);
  }
  return cubes / (6 * squares * Math.sqrt(squares));
}

/** The share of a standard normal distribution that lies below. */
const normalShare = (at: number) => (at < 0 ? normalTails(at) / 2 : 1 - normalTails(at) / 2);
