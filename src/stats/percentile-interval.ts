import type { Random } from "../core/random.js";
import { square } from "./elementary/powers.js";
import { normalQuantile, normalTails } from "./normal.js";

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

/**
 * Rearranges numbers so that the one at `place` is the one that sorting would put there, with none larger
 * before it and none smaller behind. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961); the
 * middle one of three is what others are compared with.
 *
 * @param values without NaN.
 * @param place in [0, values.length).
 * @example
 * const values = Float64Array.of(3, 1, 2);
 * select(values, 1);
 * values[1] // 2
 */
export function select(values: Float64Array, place: number): void {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = middleOf(values[low] ?? 0, values[(low + high) >>> 1] ?? 0, values[high] ?? 0);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++;
      while ((values[right] ?? 0) > pivot) right--;
      if (left > right) break;
      const one = values[left] ?? 0;
      values[left++] = values[right] ?? 0;
      values[right--] = one;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else return;
  }
}

const middleOf = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

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

/**
 * The 95 % percentile interval of a statistic that is no ratio of sums (`clusterBootstrap` is faster
 * for those): as many units as there are, drawn with replacement, again and again; the bounds are
 * the 2.5 % and 97.5 % quantiles (type 7) of the statistic over the draws. Efron and Tibshirani, "An
 * Introduction to the Bootstrap" (1993), 13.3.
 *
 * @param options.units how many units there are to draw from.
 * @param options.statistic of the units with these indices, of which some come more than once; NaN
 *   where it is undefined, and such draws are left out.
 * @returns undefined with fewer than two units, or where no draw gave a value.
 */
export function bootstrapInterval({
  units,
  statistic,
  resamples,
  random,
}: {
  readonly units: number;
  statistic(drawn: Int32Array): number;
  readonly resamples: number;
  readonly random: Random;
}): [low: number, high: number] | undefined {
  if (units < 2) return undefined;
  const drawn = new Int32Array(units);
  const values = Float64Array.from({ length: resamples }, () => {
    for (let draw = 0; draw < units; draw++) drawn[draw] = random.integer(units);
    return statistic(drawn);
  });
  return percentileInterval(values);
}

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
