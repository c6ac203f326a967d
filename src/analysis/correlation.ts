import { randomFrom } from "../core/random.js";
import type { Estimate } from "../stats/estimate.js";
import { influenceError } from "../stats/influence-error.js";
import { weightedBootstrap } from "../stats/weighted-bootstrap.js";
import {
  type Measure,
  type Measured,
  measured,
  measureRange,
  measures,
} from "./correlation-measures.js";
import { correlationWarnings } from "./correlation-warnings.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "./intervals.js";
import { promptClusters } from "./prompt-clusters.js";

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

/**
 * How well each metric follows people: Spearman's, Kendall's tau-b and tau-c, Pearson's, and the
 * share of all pairs that the metric puts in people's order (pairs that people tie left out, pairs
 * that only the metric ties half). A metric is measured on the rows that it scored and people
 * rated. Intervals: a percentile bootstrap of whole prompts, the same draws for every metric;
 * above 10,000 clusters value +- 1.96 standard errors from influence values (the delta method).
 *
 * @example
 * const rows = [[1, 0.2], [2, 0.7], [3, 0.4]].map(([human = 0, score = 0], at) =>
 *   ({ id: `${at}`, human, scores: [score] }));
 * correlation({ human: "rating", metrics: ["m"], rows }).metrics.m?.spearman.value // 0.5
 */
export function correlation(
  { human, metrics, rows }: CorrelationTable,
  options: IntervalOptions = {},
): CorrelationConclusion {
  const rated = rows.filter((row) => row.human !== null);
  const { cluster, count } = promptClusters(rated);
  const columns = metrics.map((_, at) => columnOf(rated, at));
  const method = intervalMethod(options, { clusters: count, clusteredBy: clusteredBy(rated) });
  const intervals = intervalsOf(columns, { cluster, clusters: count, method });
  const results = columns.map((column, at): CorrelationMetric => {
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
  const places = [metrics.indexOf(metric), metrics.indexOf(than)];
  const isScored = ({ scores }: CorrelationRow) => places.every((at) => isNumber(scores[at]));
  const both = rows.filter((row) => row.human !== null && isScored(row));
  const { cluster, count } = promptClusters(both);
  const method = intervalMethod(options, { clusters: count, clusteredBy: clusteredBy(both) });
  const which = measures.indexOf(measure);
  const columns = places.map((at) => columnOf(both, at));
  const [one, other] = columns.map((column) => column.measured.values()[which] ?? Number.NaN);
  const value = (one ?? Number.NaN) - (other ?? Number.NaN);
  if (Number.isNaN(value)) {
    return { ...undefinedEstimate("undefined for one of the two"), n: both.length };
  }
  const [interval] = differenceInterval(columns, {
    cluster,
    clusters: count,
    method,
    which,
    value,
  });
  if (interval === undefined)
    return { value, low: null, high: null, reason: noInterval(method), n: both.length };
  return { value, low: interval[0], high: interval[1], n: both.length };
}

interface Column {
  /** Which of the rated rows have a score. */
  readonly rows: Int32Array;
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
  readonly measured: Measured;
}

type Interval = readonly [low: number, high: number] | undefined;

interface Clustering {
  readonly cluster: Int32Array;
  readonly clusters: number;
  readonly method: IntervalMethod;
}

function columnOf(rated: readonly CorrelationRow[], at: number): Column {
  const rows = rated.flatMap(({ scores }, row) => (isNumber(scores[at]) ? [row] : []));
  const scores = Float64Array.from(rows, (row) => rated[row]?.scores[at] ?? 0);
  const ratings = Float64Array.from(rows, (row) => rated[row]?.human ?? 0);
  const places = Int32Array.from(rows);
  return { rows: places, scores, ratings, measured: measured(scores, ratings, places) };
}

/** Per column, per measure. */
function intervalsOf(columns: readonly Column[], clustering: Clustering): Interval[][] {
  const { method, cluster, clusters } = clustering;
  if (method.method === "delta") {
    return columns.map((column) => {
      const values = column.measured.values();
      const influences = column.measured.influences();
      return measures.map((_, which) =>
        deltaInterval(values[which] ?? Number.NaN, influences?.[which], column.rows, clustering),
      );
    });
  }
  const { resamples = 0, seed = 0 } = method;
  const found = weightedBootstrap({
    cluster,
    clusters,
    count: columns.length * measures.length,
    statistics(weights, into) {
      columns.forEach((column, at) => {
        into.set(column.measured.values(weights), at * measures.length);
      });
    },
    resamples,
    random: randomFrom(seed, "clustered bootstrap"),
  });
  return columns.map((column, at) =>
    severalClusters(column.rows, cluster)
      ? found.slice(at * measures.length, (at + 1) * measures.length)
      : [],
  );
}

function differenceInterval(
  columns: readonly Column[],
  { which, value, ...clustering }: Clustering & { which: number; value: number },
): Interval[] {
  const { method, cluster, clusters } = clustering;
  const first = columns[0];
  if (first === undefined || !severalClusters(first.rows, cluster)) return [undefined];
  if (method.method === "delta") {
    const [one, other] = columns.map((column) => column.measured.influences()?.[which]);
    const influence = one?.map((moves, row) => moves - (other?.[row] ?? 0));
    return [deltaInterval(value, other && influence, first.rows, clustering)];
  }
  const { resamples = 0, seed = 0 } = method;
  return weightedBootstrap({
    cluster,
    clusters,
    count: 1,
    statistics(weights, into) {
      const [one, other] = columns.map((column) => column.measured.values(weights)[which]);
      into[0] = (one ?? Number.NaN) - (other ?? Number.NaN);
    },
    resamples,
    random: randomFrom(seed, "clustered bootstrap"),
  });
}

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

function deltaInterval(
  value: number,
  influence: Float64Array | undefined,
  rows: Int32Array,
  { cluster }: Clustering,
): Interval {
  if (influence === undefined) return undefined;
  const found = new Map<number, number>();
  const own = rows.map((row) => {
    const one = cluster[row] ?? 0;
    const place = found.get(one) ?? found.size;
    found.set(one, place);
    return place;
  });
  const error = influenceError(influence, own, found.size);
  return Number.isNaN(error) ? undefined : [value - z * error, value + z * error];
}

function estimateOf(
  measure: Measure,
  value: number,
  { column, interval, method }: { column: Column; interval: Interval; method: IntervalMethod },
): Estimate {
  if (Number.isNaN(value)) return undefinedEstimate(whyUndefined(column));
  if (interval === undefined) return { value, low: null, high: null, reason: noInterval(method) };
  const [least, most] = measureRange(measure);
  return { value, low: Math.max(least, interval[0]), high: Math.min(most, interval[1]) };
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

function severalClusters(rows: Int32Array, cluster: Int32Array): boolean {
  const first = cluster[rows[0] ?? 0];
  return rows.some((row) => cluster[row] !== first);
}

const clusteredBy = (rows: readonly CorrelationRow[]) =>
  rows.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row";

const isNumber = (score: number | null | undefined) => score !== null && score !== undefined;

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
