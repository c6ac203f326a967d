import { largestOf } from "../../core/arrays.js";
import { rowsByText } from "../../core/row-codes.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import {
  type Direction,
  type PairCounts,
  type PairSums,
  PairTable,
  pairSums,
  sumColumn,
} from "./pair-sums.js";
import { defaultTieTolerance, type TieOptions, tieText } from "./score-ties.js";

/** One metric's scores of one image, for its description and for the same with attributes swapped. */
export interface SwapRow {
  /** Names the image; no other row of the same metric has it. */
  readonly id: string;
  readonly metric: string;
  /** Rows of one description are not independent: intervals draw them together. */
  readonly prompt?: string | undefined;
  /** The list of descriptions, such as "outfits"; a row without is in no set. */
  readonly set?: string | undefined;
  /** The model that made the image. */
  readonly generator?: string | undefined;
  /** Null where there is no answer. */
  readonly original: number | null;
  readonly swapped: number | null;
}

/** A row of the attribute confusion benchmark, which knows all of it. */
export interface ConfusionSwapRow extends SwapRow {
  readonly prompt: string;
  readonly set: string;
  readonly generator: string;
}

export interface SwapSummary {
  /** Rows with both scores. */
  readonly n: number;
  /** Rows without. */
  readonly unscored: number;
  readonly failures: number;
  readonly ties: number;
  /** Share of n in which the swapped description scores strictly better. */
  readonly failureRate: Estimate;
  /** Share of n in which both scores tie: a metric that says nothing never fails, and ties. */
  readonly tieRate: Estimate;
  /** Share of n that fails, a tie as half a failure: 0.5 for a metric that tells nothing. */
  readonly failuresAndHalfTies: Estimate;
  /** Score of the original minus that of the swapped description, on average; as the scores are. */
  readonly difference: Estimate;
  /** The failure rate if no unscored row failed, and if all did. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}

export interface SwapMetric {
  readonly overall: SwapSummary;
  readonly sets: Readonly<Record<string, SwapSummary>>;
  readonly generators: Readonly<Record<string, SwapSummary>>;
}

export interface SwapConclusion {
  readonly metrics: Readonly<Record<string, SwapMetric>>;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly n: number;
  readonly unscored: number;
  readonly intervals: IntervalMethod;
}

export interface SwapOptions extends IntervalOptions, TieOptions {
  /** Direction of each metric. Default "higher". */
  readonly directionOf?: ((metric: string) => Direction) | undefined;
}

/**
 * How often each metric prefers a description whose attributes stand on the wrong entities to the
 * true one, for the same image (L-VQAScore, section 3.2). Failing is scoring the swapped one strictly
 * better; ties (`isTie`: what rounding could do) and unscored rows are counted apart. Intervals draw
 * whole descriptions.
 *
 * @example
 * const about = { metric: "m", set: "outfits", generator: "g" };
 * swap([
 *   { ...about, id: "1", prompt: "a", original: 0.7, swapped: 0.8 },
 *   { ...about, id: "2", prompt: "b", original: 0.7, swapped: 0.7 },
 * ]).metrics.m?.overall.failureRate.value // 0.5
 */
export const swap = (rows: readonly SwapRow[], options: SwapOptions = {}): SwapConclusion =>
  swapOf(swapPairs(rows), {
    ...options,
    set: textColumn(rows.map(({ set }) => set)),
    generator: textColumn(rows.map(({ generator }) => generator)),
  });

/** The pairs of scores of each row: the right one is the score of the description, the wrong one of the swapped. */
export const swapPairs = (rows: readonly SwapRow[]): PairTable =>
  PairTable.of(
    rows.map(({ id, metric, prompt, original, swapped }) => {
      return { id, metric, prompt, domain: "", correct: original, adversarial: swapped };
    }),
  );

/** The same of rows by column. */
function swapOf(
  pairs: PairTable,
  {
    directionOf = () => "higher",
    tieTolerance = defaultTieTolerance,
    set = none,
    generator = none,
    ...options
  }: SwapOptions & { readonly set?: TextColumn; readonly generator?: TextColumn } = {},
): SwapConclusion {
  const { names } = pairs.columns.metric;
  const scoredOf = (metric: string) => pairs.rowsOf(metric).filter((row) => pairs.isScored(row));
  const method = intervalMethod(options, {
    clusters: Math.max(0, largestOf(names.map((metric) => pairs.clusters(scoredOf(metric)).count))),
    clusteredBy: pairs.names.unit(),
  });
  const metrics = names.map((metric): [string, SwapMetric] => {
    const its = pairs.rowsOf(metric);
    const rule = { direction: directionOf(metric), tieTolerance };
    const of = (rows: Int32Array) =>
      swapSummary(
        pairSums(pairs, { ...rule, metric, rows, group: new Int32Array(rows.length), groups: 1 }),
        method,
      );
    const by = (column: TextColumn) =>
      Object.fromEntries(rowsByText(column, its).map(([name, some]) => [name, of(some)]));
    return [metric, { overall: of(its), sets: by(set), generators: by(generator) }];
  });
  const n = metrics.reduce((sum, [, { overall }]) => sum + overall.n, 0);
  return {
    metrics: Object.fromEntries(metrics),
    tieRule: swapTieRule(tieTolerance),
    tieTolerance,
    n,
    unscored: pairs.length - n,
    intervals: method,
  };
}

export const swapTieRule = (tieTolerance: number) =>
  `a tie is no failure: the swapped description has to score strictly better; ${tieText(tieTolerance)}`;

/** A column that names nothing. */
const none: TextColumn = { codes: new Int32Array(), names: [] };

/** The summary of one metric's sums, all of one group. */
export function swapSummary(
  { counts: [count = noPairs], sums: pairs }: PairSums,
  method: IntervalMethod,
): SwapSummary {
  const { width, sums } = pairs;
  const columns = Array.from({ length: pairs.group.length }, (_, cell) => {
    const [n = 0, failures = 0, strict = 0] = sums.subarray(cell * width);
    const difference = sums[cell * width + sumColumn.difference] ?? 0;
    return [n, strict, failures - strict, difference, (failures + strict) / 2];
  });
  const table = { ...pairs, width: 5, sums: Float64Array.from(columns.flat()) };
  const whenEmpty = "no image is scored against both descriptions";
  const term = (numerator: number) => ({
    weight: 1,
    groups: [0],
    numerator,
    denominator: 0,
    whenEmpty,
  });
  const unknown = undefinedEstimate(whenEmpty);
  const [failureRate = unknown, tieRate = unknown, difference = unknown, withTies = unknown] =
    estimate(
      table,
      [
        { terms: [term(1)], within: [0, 1] },
        { terms: [term(2)], within: [0, 1] },
        { terms: [term(3)] },
        { terms: [term(4)], within: [0, 1] },
      ],
      method,
    );
  const { n, unscored, ties } = count;
  const failures = count.failures - ties;
  const share = (some: number) => (n + unscored === 0 ? null : some / (n + unscored));
  return {
    n,
    unscored,
    failures,
    ties,
    failureRate: withOneSidedBound(failureRate, [term(1)], table),
    tieRate: withOneSidedBound(tieRate, [term(2)], table),
    failuresAndHalfTies: withOneSidedBound(withTies, [term(4)], table),
    difference,
    bounds: { low: share(failures), high: share(failures + unscored) },
  };
}

const noPairs: PairCounts = { n: 0, unscored: 0, ties: 0, failures: 0 };
