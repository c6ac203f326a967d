import { once } from "../../core/cache.js";
import type { Estimate } from "../../stats/estimate.js";
import type { InfluenceSpread } from "../../stats/influence-error.js";
import { decidedByFew } from "../inference/few-clusters.js";
import {
  type Interval,
  type IntervalMethod,
  type IntervalOptions,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { tooFewDecide } from "../inference/prompt-clusters.js";
import { weightedText } from "../inference/row-draws.js";
import {
  type Also,
  alsoEstimates,
  alsoWithin,
  type WilliamsResult,
  williamsTests,
} from "./also.js";
import { type Column, columnsAt, whyUndefined } from "./correlation-columns.js";
import {
  type Clustering,
  clusteringOf,
  columnInterval,
  differenceInterval,
  differenceSamples,
  differenceSpreads,
  type KnownDifference,
  measureSamples,
  measureSpreads,
  spreadInterval,
} from "./correlation-intervals.js";
import {
  type Measure,
  measureNames,
  measureRange,
  measures,
  pairRule,
} from "./correlation-measures.js";
import type { CorrelationMetric } from "./correlation-metric.js";
import {
  type ColumnarTable,
  type CorrelationColumns,
  type CorrelationTable,
  columnsOf,
  withNumbers,
} from "./correlation-row.js";
import { correlationWarnings, groupWarnings } from "./correlation-warnings.js";
import type { GroupedMethod, GroupingOptions, GroupMeasure } from "./grouping.js";
import { type MetricDifference, metricDifferences } from "./metric-differences.js";
import { tieCalibrations } from "./tie-calibration.js";
import { withinGroups } from "./within-groups.js";

export interface CorrelationConclusion {
  readonly human: string;
  readonly metrics: Readonly<Record<string, CorrelationMetric>>;
  /** Scores of rated rows, over all metrics. */
  readonly n: number;
  readonly unscored: number;
  /** Rows that people did not rate; they are in nothing. */
  readonly unrated: number;
  /** How rows were weighted, where `label plan` drew them. */
  readonly weighted?: string;
  readonly pairRule: string;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
  /** How groups were averaged, where they were asked for. */
  readonly grouped?: GroupedMethod;
  /** Williams' test of every two metrics, if requested. */
  readonly williams?: readonly WilliamsResult[];
  /** The columns that partial correlations hold constant. */
  readonly given?: readonly string[];
}

export interface CorrelationOptions extends IntervalOptions {
  /** Also counts human ties, and fits each metric's tie threshold. */
  readonly tieCalibration?: boolean | undefined;
  /** Asks for correlations within each `group` of rows, too; `{}` for the defaults. */
  readonly grouping?: GroupingOptions | undefined;
  /** Asks for coefficients and a test that papers print beside the usual ones. */
  readonly also?: Also | undefined;
}

/**
 * How well each metric follows people: Spearman's, Kendall's tau-b and tau-c, Pearson's, and the
 * share of all pairs that the metric puts in people's order (pairs that people tie left out, pairs
 * that only the metric ties half). A metric is measured on the rows that it scored and people
 * rated. Intervals: a percentile (or BCa) bootstrap of whole prompts, the same draws for every metric;
 * above 10,000 clusters or 20,000 rows value +- 1.96 standard errors from influence values (the delta
 * method).
 * With `grouping` also the correlations within each group, averaged (`withinGroups`).
 *
 * @example
 * const rows = [[1, 0.2], [2, 0.7], [3, 0.4]].map(([human = 0, score = 0], at) =>
 *   ({ id: `${at}`, human, scores: [score] }));
 * correlation({ human: "rating", metrics: ["m"], rows }).metrics.m?.spearman.value // 0.5
 */
export function correlation(
  table: CorrelationTable,
  options: CorrelationOptions = {},
): CorrelationConclusion {
  return correlationComparison(table, options).conclusion;
}

/** A conclusion, and what compares two of its metrics. */
export interface CorrelationComparison {
  readonly conclusion: CorrelationConclusion;
  /**
   * A measure of `metric` minus that of `than`, on the rows that both scored and people rated: a
   * paired comparison, prompts drawn as everywhere.
   */
  difference(compared: {
    readonly metric: string;
    readonly than: string;
    readonly measure: Measure;
  }): Estimate & { readonly n: number };
  /** Every two metrics on the rows that all metrics scored and people rated. */
  differences(): readonly MetricDifference[];
  /** The same of averages over the groups that both have; undefined where none were asked for. */
  differenceWithin?(compared: {
    readonly metric: string;
    readonly than: string;
    readonly measure: GroupMeasure;
  }): Estimate;
}

/** The same with the differences of metrics, from the same draws where both scored all rated rows. */
export const correlationComparison = (
  table: CorrelationTable,
  options: CorrelationOptions = {},
): CorrelationComparison => comparisonOf(columnsOf(table), options);

/** The same of rows by column. */
export function comparisonOf(
  { human, metrics, columns: all }: ColumnarTable,
  { tieCalibration = false, grouping, also = {}, ...asked }: CorrelationOptions = {},
): CorrelationComparison {
  // Influences know no weights.
  const options =
    all.draws === undefined ? asked : { ...asked, interval: asked.interval ?? "percentile" };
  const rated = withNumbers(all, [all.human]);
  const rows = rated.rows.length;
  const clustering = clusteringOf(rated, options);
  const { method } = clustering;
  const columns = columnsAt(rated, [...metrics.keys()]);
  const samples = isByInfluence(method.method) ? undefined : measureSamples(columns, clustering);
  const spreads = measureSpreads(columns, clustering);
  const ties = tieCalibration ? tieCalibrations(rated, options) : [];
  const within = grouping && withinGroups(columns, rated.group, { ...grouping, ...options });
  const results = columns.map((column, at): CorrelationMetric => {
    const calibrated = ties[at];
    const grouped = within?.metrics[at];
    const values = column.measured.values();
    const estimates = measures.map((measure, which): [Measure, Estimate] => [
      measure,
      estimateOf(measure, values[which] ?? Number.NaN, {
        column,
        interval:
          samples === undefined
            ? spreadInterval(measure, values[which], spreads[at]?.[which], method)
            : columnInterval(column, samples, at * measures.length + which, clustering),
        spread: spreads[at]?.[which],
        method,
      }),
    ]);
    const p = column.measured.pValues();
    return {
      n: column.rows.length,
      unscored: rows - column.rows.length,
      ...(Object.fromEntries(estimates) as Record<Measure, Estimate>),
      p: {
        spearman: numberOrNull(p.spearman),
        kendallTauB: numberOrNull(p.kendallTauB),
        pearson: numberOrNull(p.pearson),
      },
      ...(calibrated === undefined ? {} : { tieCalibration: calibrated }),
      ...(grouped === undefined || within === undefined
        ? {}
        : {
            grouped: {
              ...grouped,
              ...alsoWithin(rated, at, also, within.method),
            },
          }),
      ...alsoEstimates(rated, at, also, clustering),
    };
  });
  const isAllScored = columns.every((column) => column.rows.length === rows);
  const spreadsApart = once(() => differenceSpreads(columns, clustering));
  const n = results.reduce((sum, one) => sum + one.n, 0);
  const conclusion = {
    human,
    metrics: Object.fromEntries(results.map((one, at) => [metrics[at] ?? "", one])),
    n,
    unscored: rows * metrics.length - n,
    unrated: all.rows.length - rows,
    ...(all.draws && { weighted: weightedText }),
    pairRule,
    warnings: [
      ...correlationWarnings({ human, metrics, columns: all }, method),
      ...(all.draws !== undefined &&
      (tieCalibration || grouping || Object.values(also).some(Boolean))
        ? ["what was asked for beside the five measures is not weighted"]
        : []),
      ...decidedByFew(
        results.flatMap((result, at) =>
          measures.map((measure) => ({
            name: `${measureNames[measure]} of ${metrics[at]}`,
            estimate: result[measure],
          })),
        ),
        method,
      ),
      ...(within === undefined
        ? []
        : groupWarnings(
            results.map((result, at) => ({ ...result, metric: metrics[at] ?? "" })),
            within.method,
          )),
    ],
    intervals: method,
    ...(within === undefined ? {} : { grouped: within.method }),
    ...(also.williams === true ? { williams: williamsTests(metrics, rated) } : {}),
    ...(also.partial === undefined ? {} : { given: also.partial }),
  };
  return {
    conclusion,
    ...(within === undefined
      ? {}
      : {
          differenceWithin: ({ metric, than, measure }) =>
            within.difference(metrics.indexOf(metric), metrics.indexOf(than), measure),
        }),
    differences() {
      const whole = withNumbers(rated, rated.scores);
      const isAll = whole.rows.length === rows;
      const its = isAll ? columns : columnsAt(whole, [...metrics.keys()]);
      const shared = isAll ? clustering : clusteringOf(whole, options);
      const drawn =
        isAll || isByInfluence(shared.method.method) ? samples : measureSamples(its, shared);
      const ofAll = isAll ? spreadsApart : () => differenceSpreads(its, shared);
      const spreadOf = drawn === undefined ? ofAll() : undefined;
      const differenceAt: Parameters<typeof metricDifferences>[1] = (places, measure) => {
        const [one, other] = places.map((at) => its[at]);
        if (one === undefined || other === undefined) throw new RangeError("Expected two metrics");
        const which = measures.indexOf(measure);
        const [from = 0, to = 0] = places.map((at) => at * measures.length + which);
        const known = drawn && differenceSamples(drawn, from, to);
        const spread = spreadOf?.(places, which);
        return {
          estimate: compared([one, other], which, { ...shared, known, spread }),
          resampled: known?.resampled[0],
          spread,
        };
      };
      return metricDifferences(metrics, differenceAt, shared.method);
    },
    difference({ metric, than, measure }) {
      const places = [metrics.indexOf(metric), metrics.indexOf(than)] as const;
      const [first, second] = places.map((at) => columns[at]);
      const which = measures.indexOf(measure);
      const isWhole = [first, second].every((column) => column?.rows.length === rows);
      if (first === undefined || second === undefined || !isWhole) {
        return differenceOf(rated, { places, which, options });
      }
      const [one = 0, other = 0] = places.map((at) => at * measures.length + which);
      const known = samples && differenceSamples(samples, one, other);
      const spread = samples || !isAllScored ? undefined : spreadsApart()(places, which);
      return compared([first, second], which, { ...clustering, known, spread });
    },
  };
}

/** On the rows that both scored, drawn by themselves. */
function differenceOf(
  rated: CorrelationColumns,
  {
    places,
    which,
    options,
  }: {
    readonly places: readonly [one: number, other: number];
    readonly which: number;
    readonly options: IntervalOptions;
  },
): Estimate & { readonly n: number } {
  const both = withNumbers(
    rated,
    places.map((at) => rated.scores[at]),
  );
  const [one, other] = columnsAt(both, places);
  if (one === undefined || other === undefined) throw new RangeError("Expected two metrics");
  return compared([one, other], which, clusteringOf(both, options));
}

function compared(
  [one, other]: readonly [Column, Column],
  which: number,
  clustering: Clustering & KnownDifference,
): Estimate & { readonly n: number } {
  const n = one.rows.length;
  const measureOf = ({ measured }: Column) => measured.values()[which] ?? Number.NaN;
  const difference = measureOf(one) - measureOf(other);
  if (Number.isNaN(difference)) return { ...undefinedEstimate("undefined for one of the two"), n };
  const interval = differenceInterval([one, other], which, clustering);
  const whenNone = noInterval(clustering.method);
  return { ...withInterval(difference, interval, { within: [-2, 2], whenNone }), n };
}

function estimateOf(
  measure: Measure,
  value: number,
  {
    column,
    interval,
    spread,
    method,
  }: {
    readonly column: Column;
    readonly interval: Interval;
    readonly spread: InfluenceSpread | undefined;
    readonly method: IntervalMethod;
  },
): Estimate {
  if (Number.isNaN(value)) return undefinedEstimate(whyUndefined(column));
  return {
    ...withInterval(value, interval, {
      within: measureRange(measure),
      whenNone: noInterval(method),
    }),
    ...(spread === undefined ? {} : tooFewDecide(spread)),
  };
}

const noInterval = ({ clusteredBy: unit }: IntervalMethod) =>
  `no interval from one ${unit}, or from a column that does not vary`;

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
