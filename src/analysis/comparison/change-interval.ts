import { largestOf, smallestOf } from "../../core/arrays.js";
import { exp } from "../../stats/elementary/exponential.js";
import { log } from "../../stats/elementary/logarithm.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { criticalT } from "../../stats/incomplete-beta.js";
import { boundAfter } from "../inference/one-sided-bound.js";
import { meanOf } from "./comparison-samples.js";

/** What is known of scores, beside how they changed. */
export interface ScoreSteps {
  /** True where scores take five values or fewer, so that equal ones do not mean equal images: 0 and 1, or stars. */
  readonly areFew: boolean;
  /** How far apart two scores are at most: by the metric's range, else by the scores. */
  readonly reach: number;
  /** How far a mean can change; infinite where the metric's range is not known. */
  readonly most: number;
  /** The smallest step of a prompt's change; 0 where scores take many values. */
  readonly step: number;
}

const mostFew = 5;

/** What the scores of both sides, and how they changed, tell of their steps. */
export function scoreSteps(
  scores: readonly Float64Array[],
  changes: Float64Array,
  range: readonly [low: number, high: number] | undefined,
): ScoreSteps {
  const known = new Set(
    scores.flatMap((side) => [...side]).filter((score) => !Number.isNaN(score)),
  );
  const scored = scores.reduce(
    (sum, side) => sum + side.filter((each) => !Number.isNaN(each)).length,
    0,
  );
  const areFew = known.size <= mostFew && 2 * known.size <= scored;
  const isYesOrNo = [...known].every((score) => score === 0 || score === 1);
  const [low, high] =
    range ??
    (isYesOrNo || known.size === 0 ? [0, 1] : [smallestOf([...known]), largestOf([...known])]);
  const reach = high - low;
  const most = range === undefined ? Number.POSITIVE_INFINITY : reach;
  return { areFew, reach, most, step: areFew ? smallestStep(changes) : 0 };
}

/** Two changes nearer than this differ by rounding. */
const rounding = 1e-9;

function smallestStep(changes: Float64Array): number {
  const sorted = Float64Array.from(changes).sort();
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < sorted.length; at++) {
    const step = (sorted[at] ?? 0) - (sorted[at - 1] ?? 0);
    if (step > rounding) least = Math.min(least, step);
  }
  return Number.isFinite(least) ? least : 0;
}

/**
 * The mean change of prompts with its interval, of which either end misses a share `error` of samples: by
 * `skewedTInterval`. Where scores take few values each end moves out by half a step of the mean (the correction
 * for continuity), and where no prompt became worse (better), as far as so many prompts leave open:
 * `boundAfter`. Scores of many values that all changed by as much have an interval without width: nothing was
 * changed but by that.
 *
 * @param isT Student's t alone.
 */
export function changeInterval(
  changes: Float64Array,
  { areFew, reach, most, step }: ScoreSteps,
  { error, isT }: { readonly error: number; readonly isT: boolean },
): Estimate & { readonly value: number | null } {
  const n = changes.length;
  if (n === 0) return { value: null, low: null, high: null, reason: "no prompt has both scores" };
  const value = meanOf(changes);
  if (n === 1) return { value, low: null, high: null, reason: "no interval from one prompt" };
  const { low, high } = skewedTInterval(changes, { error, isSymmetric: isT });
  if (isT) return { value, low, high };
  const within = (end: number) => Math.max(-most, Math.min(most, end));
  if (!areFew) return { value, low: within(low), high: within(high) };
  const half = step / 2 / n;
  const open = boundAfter(value, { draws: n, within: [-reach, reach] });
  const isNoneWorse = smallestOf(changes) >= 0;
  const isNoneBetter = largestOf(changes) <= 0;
  return {
    value,
    low: within(Math.min(low - half, isNoneWorse ? open.low : low)),
    high: within(Math.max(high + half, isNoneBetter ? open.high : high)),
  };
}

/** By how much a sample's skewness is taken for larger, as it falls short of its population's: 1 + 5 / n. */
const shortfall = 5;

/**
 * The two-sided interval of a mean by Student's t, with each end moved outwards where skewness makes t too
 * narrow there; never inwards. With T the t statistic, g the skewness and n values, Hall's
 * T + g T² / (3 √n) + g² T³ / (27 n) + g / (6 √n) is nearly free of skewness, and monotone, so that it
 * is solved for the mean. Hall, "On the Removal of Skewness by Transformation" (1992), with Student's
 * quantile, and the skewness of a sample enlarged by 1 + 5 / n. `bench/not-worse.mjs` measures how often it holds.
 *
 * @param values two or more.
 * @param error the share of samples that either end misses, such as 0.05.
 * @param isSymmetric true for Student's t alone.
 * @example skewedTInterval([0, 0, 0, -1, 0, 0], { error: 0.05 }).low // -0.99, where t has -0.50
 */
export function skewedTInterval(
  values: ArrayLike<number>,
  { error, isSymmetric = false }: { readonly error: number; readonly isSymmetric?: boolean },
): { readonly low: number; readonly high: number } {
  const n = values.length;
  const mean = Array.from(values).reduce((sum, each) => sum + each, 0) / n;
  const apart = Float64Array.from(values, (each) => each - mean);
  const squares = apart.reduce((sum, each) => sum + square(each), 0);
  const standardError = Math.sqrt(squares / (n - 1) / n);
  const t = criticalT(2 * error, n - 1);
  if (standardError === 0 || isSymmetric || n < 3) {
    return { low: mean - t * standardError, high: mean + t * standardError };
  }
  const cubes = apart.reduce((sum, each) => sum + each * square(each), 0);
  const adjusted = Math.sqrt(n * (n - 1)) / (n - 2);
  const skewness =
    (1 + shortfall / n) * adjusted * (cubes / n / (Math.sqrt(squares / n) * (squares / n)));
  return {
    low: mean - standardError * Math.max(t, withoutSkew(t, skewness, n)),
    high: mean + standardError * Math.max(t, withoutSkew(t, -skewness, n)),
  };
}

/** The T at which Hall's transformation comes to `t`. */
function withoutSkew(t: number, skewness: number, n: number): number {
  const root = Math.sqrt(n);
  const g = skewness / root;
  if (Math.abs(g) < 1e-9) return t;
  return (3 / g) * (cubeRoot(1 + g * (t - skewness / (6 * root))) - 1);
}

const cubeRoot = (x: number) => Math.sign(x) * exp(log(Math.abs(x)) / 3);
