import type { Estimate } from "../stats/estimate.js";
import { shareAfterNone } from "../stats/share-after-none.js";
import type { IntervalMethod, IntervalOptions } from "./intervals.js";
import { scoreSummary } from "./score-summary.js";

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
 * of them has its one-sided bound (see `shareAfterNone`) as well, since resamples then have no spread.
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
  if (!isShare || (mean.value !== 0 && mean.value !== 1)) return { estimate: mean, intervals };
  const width = shareAfterNone(intervals.clusters);
  const oneSided = mean.value === 0 ? { low: 0, high: width } : { low: 1 - width, high: 1 };
  return { estimate: { ...mean, oneSided }, intervals };
}
