import { InputError } from "../../core/errors.js";

export const scoreScales = ["none", "minmax", "range"] as const;

/**
 * How a metric's scores are scaled before they are averaged: `none` leaves them; `minmax`
 * puts this file's lowest score at 0 and its highest at 1; `range` puts the ends of the metric's
 * own range there.
 */
export type ScoreScale = (typeof scoreScales)[number];

export type ScoreRange = readonly [low: number, high: number];

/**
 * The two scores that go to 0 and 1, or undefined where scores stay as they are or can't be scaled
 * (minmax of scores that are all the same).
 *
 * @throws InputError where `range` has no range, an empty one, or a score lies outside it.
 */
export function scaleEnds({
  scale,
  metric,
  scores,
  range,
}: {
  readonly scale: ScoreScale;
  readonly metric: string;
  readonly scores: readonly Float64Array[];
  readonly range: ScoreRange | undefined;
}): ScoreRange | undefined {
  if (scale === "none") return undefined;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const some of scores) {
    for (const score of some) {
      if (score < lowest) lowest = score;
      if (score > highest) highest = score;
    }
  }
  if (scale === "minmax") return lowest < highest ? [lowest, highest] : undefined;
  if (range === undefined) {
    throw new InputError(`Expected a range for ${metric} but received none`, {
      hint: `Say where its scores can lie, such as --range "${metric}=0,1"`,
    });
  }
  const [low, high] = range;
  if (!(low < high)) {
    throw new InputError(
      `Expected a lower and a higher end for ${metric} but received ${low}, ${high}`,
    );
  }
  if (lowest < low || highest > high) {
    throw new InputError(
      `Expected scores of ${metric} in [${low}, ${high}] but received ${lowest < low ? lowest : highest}`,
    );
  }
  return range;
}
