import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { type IntervalMethod, type IntervalOptions, noSpread } from "../inference/intervals.js";
import { boundAfter, withBoundAfter } from "../inference/one-sided-bound.js";
import { scoreSummary } from "../pairs/score-summary.js";
import type {
  Behind,
  CardFigure,
  CardSubject,
  FigureEstimate,
  FigureUnit,
} from "./trust-card-figure.js";
import type { CardRow } from "./trust-card-rows.js";

/** Members of a figure's line, measured or not. */
export type FigureHead = Pick<CardFigure, "id" | "title" | "of">;

/** A figure that could not be made, with the columns that it needs. */
export function missing(
  head: FigureHead,
  { source, absence }: CardSubject,
  needs: readonly string[],
): CardFigure {
  const columns = `Needs ${needs.length === 1 ? "the column" : "the columns"} ${listText(needs)}.`;
  return {
    ...head,
    status: "not-measured",
    sentence: absence ?? columns,
    n: 0,
    unscored: 0,
    further: {},
    needs,
    behind: { source, rows: 0, examples: [] },
  };
}

/** The rows that a figure stands on. */
export function behind({ source }: CardSubject, rows: readonly CardRow[]): Behind {
  return {
    source,
    rows: rows.length,
    examples: rows.slice(0, 3).map(({ id, record = id }) => record),
  };
}

/** Bounds of a figure had all unscored ones failed or passed, where there are such. */
export function boundsOf({
  unscored,
  bounds: { low, high },
}: {
  readonly unscored: number;
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}): Pick<CardFigure, "bounds"> {
  return unscored === 0 || low === null || high === null ? {} : { bounds: { low, high } };
}

/** How its intervals were made, in words and as data. */
export const madeBy = (
  intervals: IntervalMethod,
): Pick<CardFigure, "intervals" | "intervalMethod"> => ({
  intervals: intervals.text,
  intervalMethod: intervals,
});

export const named = (estimate: Estimate, name: string, unit: FigureUnit): FigureEstimate => ({
  name,
  unit,
  ...estimate,
});

/** A number of one item: an image, a series of them. */
interface ItemValue {
  readonly id: string;
  /** Items of one prompt are drawn together. */
  readonly prompt?: string | undefined;
  readonly value: number;
}

interface MeanOverItems {
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
