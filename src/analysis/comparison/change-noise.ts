import { largestOf } from "../../core/arrays.js";
import { log } from "../../stats/elementary/logarithm.js";
import { square } from "../../stats/elementary/powers.js";
import { criticalT } from "../../stats/incomplete-beta.js";
import { normalQuantile } from "../../stats/normal.js";
import { fewestToTell } from "../inference/few-clusters.js";
import type { Direction } from "../pairs/pair-sums.js";
import type { ScoreSteps } from "./change-interval.js";
import { type ComparisonColumns, meanOf, samplesOf, scoresOf } from "./comparison-samples.js";
import { fewestPrompts } from "./comparison-test.js";
import { promptChanges } from "./model-change.js";

/** How far a prompt's mean score moves while the generator stays as it is. */
export interface ChangeNoise {
  /** The standard deviation of a prompt's change, and the degrees of freedom that it was told from. */
  readonly deviation: number;
  readonly df: number;
  /**
   * What told it: another run of the same generator, several images of a prompt, or the scores of all prompts,
   * which is more than it is.
   */
  readonly from: "self" | "samples" | "prompts";
}

/** The noise that scores of the same generator show, each of `others` beside `rows`. */
export function noiseOfSelf(
  rows: ComparisonColumns,
  others: readonly ComparisonColumns[],
  direction: Direction,
): ChangeNoise | undefined {
  const found = others.map((other) => promptChanges(other, rows, direction).changes);
  return pooled(found, "self", 1);
}

/** The noise that several images of a prompt show, were those of the other side of other seeds. */
export function noiseOfSamples(rows: ComparisonColumns): ChangeNoise | undefined {
  const samples = samplesOf(rows);
  const cells = Array.from(samples.prompt, (_, cell) => scoresOf(samples, cell));
  return pooled(cells, "samples", 2 * meanOf(cells.map(({ length }) => 1 / length)));
}

/** Were the images of either side as unlike as those of two prompts: the most that the noise can be. */
export const noiseOfPrompts = ({ score }: ComparisonColumns): ChangeNoise | undefined =>
  pooled([score.filter((each) => !Number.isNaN(each))], "prompts", 2);

/** @param times the variance of a change by that within the groups. */
function pooled(
  groups: readonly Float64Array[],
  from: ChangeNoise["from"],
  times: number,
): ChangeNoise | undefined {
  let squares = 0;
  let df = 0;
  for (const group of groups) {
    if (group.length === 0) continue;
    const mean = meanOf(group);
    for (const each of group) squares += square(each - mean);
    df += group.length - 1;
  }
  return df === 0 ? undefined : { deviation: Math.sqrt((times * squares) / df), df, from };
}

/** The share of intervals that an end may miss. */
export const oneSidedError = 0.05;

/** The smallest margin that so many prompts show where they do not change at all. */
export const floorOf = ({ deviation }: ChangeNoise, { step }: ScoreSteps, prompts: number) =>
  prompts < 2
    ? null
    : (criticalT(2 * oneSidedError, prompts - 1) * deviation) / Math.sqrt(prompts) +
      step / 2 / prompts;

/** By how many standard errors times the prompts chance skewness moves an end of `skewedTInterval` outwards. */
const movedOut = 3;

/**
 * How many standard errors a margin has to be away for this power, where the deviation is estimated now and will
 * be again: the normal approximation of the noncentral t.
 */
function errorsAway(prompts: number, df: number, power: number): number {
  const t = criticalT(2 * oneSidedError, prompts - 1);
  const spread = Math.sqrt(1 + (square(t) / 2) * (1 / df + 1 / (prompts - 1)));
  return t + movedOut / prompts - normalQuantile(1 - power) * spread;
}

/** What a forecast is of. */
export interface Forecast {
  readonly power: number;
  /** True where the margin is held at either end. */
  readonly isBothEnds: boolean;
}

/** The margin that an unchanged generator holds with this power, with so many prompts. */
export const marginFor = (
  { deviation, df }: ChangeNoise,
  { step }: ScoreSteps,
  prompts: number,
  { power, isBothEnds }: Forecast,
) =>
  (errorsAway(prompts, df, isBothEnds ? (1 + power) / 2 : power) * deviation) / Math.sqrt(prompts) +
  step / 2 / prompts;

/**
 * How many prompts it takes until a margin is shown with this power, where nothing changes, by the normal
 * power of a t-test; where scores take few values and none may become worse, at least as many as leave no more
 * than the margin open. Julious and Owen, "Sample Size Calculations for Clinical Studies Allowing for Uncertainty
 * about the Variance" (2006), for a deviation that is itself estimated.
 *
 * @returns null where it takes more than ten million.
 */
export function promptsFor(
  noise: ChangeNoise,
  steps: ScoreSteps,
  { margin, ...forecast }: Forecast & { readonly margin: number },
): number | null {
  if (margin <= 0) return null;
  const { areFew, reach } = steps;
  const open = !areFew
    ? 0
    : margin >= reach
      ? 1
      : Math.floor(log(oneSidedError) / log(1 - margin / reach));
  return fewestPrompts(
    (prompts) => marginFor(noise, steps, prompts, forecast) <= margin,
    largestOf([fewestToTell - 1, open]),
  );
}
