import type { Estimate } from "../stats/estimate.js";
import {
  differenceInterval,
  type MeasuredColumn,
  measureIntervals,
} from "./correlation-intervals.js";
import { type Measure, measured, measureRange, measures } from "./correlation-measures.js";
import { correlationWarnings } from "./correlation-warnings.js";
import {
  type Interval,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
  withInterval,
} from "./intervals.js";
import { promptClusters } from "./prompt-clusters.js";
import { type TieCalibration, tieCalibrations } from "./tie-calibration.js";

/** One item (an image), what people said of it and what each metric did; null where nobody did. */
export interface CorrelationRow {
  /** Told apart by it where there is no prompt; the order of rows then changes no draw. */
  readonly id: string;
  readonly prompt?: string | undefined;
  readonly human: number | null;
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
}

export interface CorrelationTable {
  /** What the human ratings are called. */
  readonly human: string;
  readonly metrics: readonly string[];
  readonly rows: readonly CorrelationRow[];
}

export type CorrelationMetric = Readonly<Record<Measure, Estimate>> & {
  /** Rows with a rating and a score. */
  readonly n: number;
  /** Rows with a rating but no score. */
  readonly unscored: number;
  /** Two-sided, of no association, as if rows were independent; null where undefined. */
  readonly p: Readonly<Record<"spearman" | "kendallTauB" | "pearson", number | null>>;
  /** Where it was asked for. */
  readonly tieCalibration?: TieCalibration;
};

export interface CorrelationConclusion {
  readonly human: string;
  readonly metrics: Readonly<Record<string, CorrelationMetric>>;
  /** Scores of rated rows, over all metrics. */
  readonly n: number;
  readonly unscored: number;
  /** Rows that people did not rate; they are in nothing. */
  readonly unrated: number;
  readonly pairRule: string;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

export interface CorrelationOptions extends IntervalOptions {
  /** Whether to count people's ties as answers, too, and to choose what a metric's tie is. */
  readonly tieCalibration?: boolean | undefined;
}

/**
 * How well each metric follows people: Spearman's, Kendall's tau-b and tau-c, Pearson's, and the
 * share of all pairs that the metric puts in people's order (pairs that people tie left out, pairs
 * that only the metric ties half). A metric is measured on the rows that it scored and people
 * rated. Intervals: a percentile (or BCa) bootstrap of whole prompts, the same draws for every metric;
 * above 10,000 clusters value +- 1.96 standard errors from influence values (the delta method).
 *
 * @example
 * const rows = [[1, 0.2], [2, 0.7], [3, 0.4]].map(([human = 0, score = 0], at) =>
 *   ({ id: `${at}`, human, scores: [score] }));
 * correlation({ human: "rating", metrics: ["m"], rows }).metrics.m?.spearman.value // 0.5
 */
export function correlation(
  { human, metrics, rows }: CorrelationTable,
  { tieCalibration = false, ...options }: CorrelationOptions = {},
): CorrelationConclusion {
  const rated = rows.filter((row) => row.human !== null);
  const { cluster, count } = promptClusters(rated);
  const columns = metrics.map((_, at) => columnOf(rated, at));
  const method = intervalMethod(options, { clusters: count, clusteredBy: clusteredBy(rated) });
  const intervals = measureIntervals(columns, { cluster, clusters: count, method });
  const ties = tieCalibration ? tieCalibrations({ human, metrics, rows }, options) : [];
  const results = columns.map((column, at): CorrelationMetric => {
    const calibrated = ties[at];
    const values = column.measured.values();
    const estimates = measures.map((measure, which): [Measure, Estimate] => [
      measure,
      estimateOf(measure, values[which] ?? Number.NaN, {
        column,
        interval: intervals[at]?.[which],
        method,
      }),
    ]);
    const p = column.measured.pValues();
    return {
      n: column.rows.length,
      unscored: rated.length - column.rows.length,
      ...(Object.fromEntries(estimates) as Record<Measure, Estimate>),
      p: {
        spearman: numberOrNull(p.spearman),
        kendallTauB: numberOrNull(p.kendallTauB),
        pearson: numberOrNull(p.pearson),
      },
      ...(calibrated === undefined ? {} : { tieCalibration: calibrated }),
    };
  });
  const n = results.reduce((sum, one) => sum + one.n, 0);
  return {
    human,
    metrics: Object.fromEntries(results.map((one, at) => [metrics[at] ?? "", one])),
    n,
    unscored: rated.length * metrics.length - n,
    unrated: rows.length - rated.length,
    pairRule: "pairs that people tie are left out; pairs that only the metric ties count half",
    warnings: correlationWarnings({ human, metrics, rows }, method),
    intervals: method,
  };
}

/**
 * A measure of `metric` minus that of `than`, on the rows that both scored and people rated: a
 * paired comparison, prompts drawn as everywhere.
 */
export function correlationDifference(
  { metrics, rows }: CorrelationTable,
  {
    metric,
    than,
    measure,
    ...options
  }: IntervalOptions & {
    readonly metric: string;
    readonly than: string;
    readonly measure: Measure;
  },
): Estimate & { readonly n: number } {
  const places = [metrics.indexOf(metric), metrics.indexOf(than)] as const;
  const isScored = ({ scores }: CorrelationRow) => places.every((at) => isNumber(scores[at]));
  const both = rows.filter((row) => row.human !== null && isScored(row));
  const { cluster, count } = promptClusters(both);
  const method = intervalMethod(options, { clusters: count, clusteredBy: clusteredBy(both) });
  const which = measures.indexOf(measure);
  const one = columnOf(both, places[0]);
  const other = columnOf(both, places[1]);
  const value =
    (one.measured.values()[which] ?? Number.NaN) - (other.measured.values()[which] ?? Number.NaN);
  if (Number.isNaN(value)) {
    return { ...undefinedEstimate("undefined for one of the two"), n: both.length };
  }
  const clustering = { cluster, clusters: count, method };
  const interval = differenceInterval([one, other], which, clustering);
  if (interval === undefined)
    return { value, low: null, high: null, reason: noInterval(method), n: both.length };
  return { ...withInterval(value, interval, [-2, 2]), n: both.length };
}

interface Column extends MeasuredColumn {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
}

function columnOf(rated: readonly CorrelationRow[], at: number): Column {
  const rows = rated.flatMap(({ scores }, row) => (isNumber(scores[at]) ? [row] : []));
  const scores = Float64Array.from(rows, (row) => rated[row]?.scores[at] ?? 0);
  const ratings = Float64Array.from(rows, (row) => rated[row]?.human ?? 0);
  const places = Int32Array.from(rows);
  return { rows: places, scores, ratings, measured: measured(scores, ratings, places) };
}

function estimateOf(
  measure: Measure,
  value: number,
  { column, interval, method }: { column: Column; interval: Interval; method: IntervalMethod },
): Estimate {
  if (Number.isNaN(value)) return undefinedEstimate(whyUndefined(column));
  if (interval === undefined) return { value, low: null, high: null, reason: noInterval(method) };
  return withInterval(value, interval, measureRange(measure));
}

function whyUndefined({ scores, ratings }: Column): string {
  if (scores.length < 2)
    return `${scores.length === 0 ? "no row has" : "only one row has"} a score and a rating`;
  const isConstant = (values: Float64Array) => values.every((value) => value === values[0]);
  return isConstant(ratings)
    ? "people rated every row the same"
    : "the metric scored every row the same";
}

const noInterval = ({ clusteredBy: unit }: IntervalMethod) =>
  `no interval from one ${unit}, or from a column that does not vary`;

const clusteredBy = (rows: readonly CorrelationRow[]) =>
  rows.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row";

const isNumber = (score: number | null | undefined) => score !== null && score !== undefined;

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
