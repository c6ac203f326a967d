import type { Estimate } from "../../stats/estimate.js";
import { type IntervalMethod, type IntervalOptions, noSpread } from "../inference/intervals.js";
import { boundAfter, withBoundAfter } from "../inference/one-sided-bound.js";
import { scoreSummary } from "../pairs/score-summary.js";

/** A number of one item: an image, a series of them. */
export interface ItemValue {
  readonly id: string;
  /** Items of one prompt are drawn together. */
  readonly prompt?: string | undefined;
  readonly value: number;
}

export interface MeanOverItems {
  readonly estimate: Estimate;
  readonly intervals: IntervalMethod;
}

/**
 * The mean of a number over items, with an interval that draws whole prompts. A share of none or all
 * of them has its one-sided bound as well, since resamples then have no spread; so has a mean that can't
 * leave its range (see `boundAfter`).
 *
 * @param options.within where the mean can lie; for [0, 1] it is a share.
 */
export function meanOverItems(
  items: readonly ItemValue[],
  {
    within = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    ...options
  }: IntervalOptions & { readonly within?: readonly [low: number, high: number] } = {},
): MeanOverItems {
  const { mean, intervals } = scoreSummary(items, { ...options, range: within });
  const isShare = within[0] === 0 && within[1] === 1;
  const draws = intervals.clusters;
  if (isShare) return { estimate: withBoundAfter(mean, () => draws), intervals };
  const { value, reason } = mean;
  const isBounded = value !== null && reason === noSpread && within.every(Number.isFinite);
  return {
    estimate: isBounded ? { ...mean, oneSided: boundAfter(value, { draws, within }) } : mean,
    intervals,
  };
}
