import { smallestOf } from "../../core/arrays.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  noSpread,
} from "../inference/intervals.js";
import { boundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";

/** weight x (sum of `of`) / (sum of `over`), each with a number for each row. */
export interface RowTerm {
  readonly weight: number;
  readonly of: Float64Array;
  readonly over: Float64Array;
}

/** A sum of ratios over all rows. */
export interface RowRatio {
  readonly terms: readonly RowTerm[];
  readonly within: readonly [low: number, high: number];
  readonly whenEmpty: string;
}

/** A mean of the rows' values over those that have one; NaN for none. */
export function meanOf(values: Float64Array, weight = 1): RowTerm {
  return {
    weight,
    of: values.map((value) => (Number.isNaN(value) ? 0 : value)),
    over: values.map((value) => (Number.isNaN(value) ? 0 : 1)),
  };
}

/** A share of the rows' yes or no; NaN for neither. */
export const shareOf = (values: Float64Array, whenEmpty: string): RowRatio => ({
  terms: [meanOf(values)],
  within: [0, 1],
  whenEmpty,
});

/**
 * Estimates ratios of rows, all from the same resamples of whole prompts (rows of one id where none names a
 * prompt). A share of none or all has a one-sided bound.
 */
export function rowRatios<Name extends string>(
  rows: readonly { readonly id: string; readonly prompt?: string | undefined }[],
  ratios: Readonly<Record<Name, RowRatio>>,
  options: IntervalOptions,
): { readonly estimates: Readonly<Record<Name, Estimate>>; readonly intervals: IntervalMethod } {
  const isPrompted = rows.some(({ prompt }) => prompt !== undefined);
  const { cluster, count } = promptClusters(rows.map(({ id, prompt = id }) => ({ id, prompt })));
  const intervals = intervalMethod(options, {
    clusters: count,
    clusteredBy: isPrompted ? "prompt" : "item",
  });
  const named = Object.entries<RowRatio>(ratios);
  const columns: Float64Array[] = [];
  const estimands = named.map(([, { terms, within, whenEmpty }]) => ({
    within,
    terms: terms.map(({ weight, of, over }) => {
      columns.push(of, over);
      return {
        weight,
        groups: [0],
        numerator: columns.length - 2,
        denominator: columns.length - 1,
        whenEmpty,
      };
    }),
  }));
  const group = new Int32Array(rows.length);
  const table = clusterSums({ cluster, group, columns, clusters: count, groups: 1 });
  const found = estimate(table, estimands, intervals);
  const estimates = named.map(([name, { terms, within }], at) => {
    const draws = () => smallestOf(terms.map(({ over }) => clustersWith(over, cluster)));
    return [name, found[at] && bounded(found[at], { draws, within })];
  });
  // One for each name.
  return { estimates: Object.fromEntries(estimates) as Record<Name, Estimate>, intervals };
}

/** An estimate with a one-sided bound where all clusters agree. */
function bounded(
  { reason, ...estimate }: Estimate,
  { draws, within }: { readonly draws: () => number; readonly within: RowRatio["within"] },
): Estimate {
  const { value } = estimate;
  const isAtEnd = within[0] === 0 && (value === 0 || value === 1);
  if (value === null || !(isAtEnd || reason === noSpread)) {
    return { ...estimate, ...(reason === undefined ? {} : { reason }) };
  }
  const oneSided = boundAfter(value, { draws: draws(), within });
  return { ...estimate, low: estimate.low ?? value, high: estimate.high ?? value, oneSided };
}

/** How many clusters have a row that counts. */
function clustersWith(over: Float64Array, cluster: Int32Array): number {
  const met = new Set<number>();
  for (const [row, weight] of over.entries()) {
    if (weight > 0) met.add(cluster[row] ?? -1);
  }
  return met.size;
}

/**
 * Tests if an estimate lies surely beyond a threshold: its interval, stretched from 95 % to 99.5 % since many
 * things are looked for at once, or its one-sided bound. An estimate without either is never sure.
 */
export function isSurely(
  side: "above" | "below",
  { value, low, high, oneSided }: Estimate,
  threshold: number,
): boolean {
  const [from, to] = [oneSided?.low ?? low, oneSided?.high ?? high];
  if (value === null || from === null || to === null) return false;
  return side === "above"
    ? value - stretch * (value - from) > threshold
    : value + stretch * (to - value) < threshold;
}

/** 99.75 % quantile of the standard normal distribution over its 97.5 % one. */
const stretch = 2.807 / 1.96;

/** What a judge of pairs may say: which of an item's two images is better. */
export type Choice = "a" | "b" | "tie";

interface CheckedRow {
  /** The item; rows of one id are repeated answers about it. */
  readonly id: string;
  /** Rows of one prompt are drawn together. */
  readonly prompt?: string | undefined;
  /** Whether the judge declined to answer; its answer is then null. */
  readonly refused?: boolean | undefined;
  /** The kind of a degraded copy that the row is about, as `label degrade` names it. */
  readonly degradation?: string | undefined;
  /** How strong that is; 0 is the image as it is. */
  readonly level?: number | null | undefined;
}

/** A judge's answer about a pair of images; null where it can't be read. */
export interface VoteRow extends CheckedRow {
  readonly vote: Choice | null;
  /** What people say. */
  readonly human?: Choice | null | undefined;
  /** What each of several people says, in the same order in all rows. */
  readonly raters?: readonly (Choice | null)[] | undefined;
  /** What the judge said when the other image was shown first; `a` is still the item's a. */
  readonly swapped?: Choice | null | undefined;
  /** Which image was shown first in `vote`: a, unless it is said. */
  readonly first?: "a" | "b" | undefined;
  /** Who made each image. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

/** A judge's rating of an image; null where it can't be read. */
export interface RatingRow extends CheckedRow {
  readonly rating: number | null;
  /** What people say, on any scale. */
  readonly human?: number | null | undefined;
  readonly raters?: readonly (number | null)[] | undefined;
}

/** An answer, and which image was shown first when it was given. */
interface SeenAnswer {
  readonly said: Choice;
  readonly first: "a" | "b";
}

/** The one or two answers of a row that can be read. */
export function answersOf({ vote, swapped, first = "a" }: VoteRow): SeenAnswer[] {
  const other = first === "a" ? "b" : "a";
  return [
    ...(vote === null ? [] : [{ said: vote, first }]),
    ...(swapped ? [{ said: swapped, first: other } as const] : []),
  ];
}

/** An answer as seen from one of the images: 1 for it, -1 for the other, 0 for a tie. */
export const signFor = (said: Choice, side: Choice): number =>
  said === "tie" ? 0 : said === side ? 1 : -1;

/** Row numbers by item, in the order of the rows. */
export function rowsById(rows: readonly { readonly id: string }[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, { id }] of rows.entries()) {
    const known = found.get(id);
    if (known === undefined) found.set(id, [at]);
    else known.push(at);
  }
  return found;
}
