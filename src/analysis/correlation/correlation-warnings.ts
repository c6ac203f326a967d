import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { placesWith } from "../../core/row-codes.js";
import type { Estimate } from "../../stats/estimate.js";
import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import type { CorrelationMetric } from "./correlation-metric.js";
import { type ColumnarTable, withNumbers } from "./correlation-row.js";
import { type GroupedMethod, type GroupMeasure, groupMeasures } from "./grouping.js";

/** How many rows are behind a correlation table. */
export interface RowCounts {
  readonly rows: number;
  readonly rated: number;
  /** Rated rows that name no prompt. */
  readonly alone: number;
  /** Rated rows that each metric scored, and that all did. */
  readonly scoredBy: readonly number[];
  readonly shared: number;
}

/** Caveats of a correlation table, a sentence each. */
export function correlationWarnings(
  { human, metrics, columns }: ColumnarTable,
  method: IntervalMethod,
): string[] {
  const rated = withNumbers(columns, [columns.human]);
  const { length } = rated.rows;
  const counts = {
    rows: columns.rows.length,
    rated: length,
    alone: length - rated.names.prompted(rated.rows),
    scoredBy: rated.scores.map((scores) => placesWith(length, [scores]).length),
    shared: placesWith(length, rated.scores).length,
  };
  return countWarnings({ human, metrics, ...counts }, method);
}

/** The same of rows that were counted. */
export const countWarnings = (
  {
    human,
    metrics,
    rows,
    rated,
    alone,
    scoredBy,
    shared,
  }: RowCounts & Pick<ColumnarTable, "human" | "metrics">,
  method: IntervalMethod,
): string[] => [
  ...unrated(rows, rated, human),
  ...metrics.flatMap((metric, at) => unscored(rated, metric, scoredBy[at] ?? 0)),
  ...(scoredBy.every((count) => count === shared)
    ? []
    : [
        "the metrics were not all scored on the same rows, so their numbers are about different " +
          `images: ${shared} of ${rated} rows have scores of every metric`,
      ]),
  ...(method.clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${rated} rows name no prompt; intervals treat each as its own prompt`]),
  ...fewClusters(method),
];

function unrated(rows: number, rated: number, human: string): string[] {
  const count = rows - rated;
  return count === 0
    ? []
    : [
        `${count} of ${rows} rows ${count === 1 ? "has" : "have"} no ${human} and ${count === 1 ? "is" : "are"} in nothing`,
      ];
}

function unscored(rated: number, metric: string, scored: number): string[] {
  const count = rated - scored;
  return count === 0
    ? []
    : [`${metric}: ${count} of ${rated} rows ${count === 1 ? "is" : "are"} unscored and excluded`];
}

const namesOf: Readonly<Record<GroupMeasure, string>> = {
  spearman: "Spearman",
  kendallTauB: "Kendall's tau-b",
  pearson: "Pearson",
  kendallTauC: "Kendall's tau-c",
  pairwiseAccuracy: "pairwise accuracy",
};

/** Caveats of averages over groups, a sentence each. */
export function groupWarnings(
  metrics: readonly Named[],
  { undefinedGroups, intervals }: GroupedMethod,
): string[] {
  return [
    ...unlikePooled(metrics),
    ...withoutCoefficient(metrics, undefinedGroups),
    ...metricWarnings(metrics.flatMap(clipped)),
    ...fewClusters(intervals),
  ];
}

type Named = CorrelationMetric & { readonly metric: string };

/** Warns where differences between groups make or hide the pooled figure. */
function unlikePooled(metrics: readonly Named[]): string[] {
  const found = metrics.flatMap(({ metric, grouped, ...pooled }) => {
    const unlike = groupMeasures.flatMap((measure) => {
      const within = grouped?.[measure];
      if (within === undefined || !isUnlike(pooled[measure], within)) return [];
      return [`${namesOf[measure]} ${text(pooled[measure])} and ${text(within)}`];
    });
    return unlike.length === 0 ? [] : [`${metric} (${unlike.join(", ")})`];
  });
  return found.length === 0
    ? []
    : [
        `pooled and within-group figures disagree for ${listText(found)}: groups differ in level, so ` +
          "a pooled figure is not what holds within a group",
      ];
}

/** Tests if they differ in sign, or have disjoint intervals. */
function isUnlike(one: Estimate, other: Estimate): boolean {
  if (one.value === null || other.value === null) return false;
  const isApart = (low: number, high: number) => low - high > noise;
  if (
    isApart(0, Math.min(one.value, other.value)) &&
    isApart(Math.max(one.value, other.value), 0)
  ) {
    return true;
  }
  if (one.low === null || one.high === null || other.low === null || other.high === null) {
    return false;
  }
  return isApart(one.low, other.high) || isApart(other.low, one.high);
}

/** Largest difference that rounding and the clipping for Fisher's z make between equal coefficients. */
const noise = 1e-5;

const text = ({ value }: Estimate) => (value ?? 0).toFixed(3).replace("-", "−");

function withoutCoefficient(
  metrics: readonly Named[],
  rule: GroupedMethod["undefinedGroups"],
): string[] {
  const lacking = metrics.flatMap(({ metric, grouped }) => {
    if (grouped === undefined || grouped.undefined === 0) return [];
    const unscored = Object.values(grouped.each).filter(({ n }) => n === 0).length;
    return [
      { metric, unscored, count: grouped.undefined, all: grouped.groups + grouped.undefined },
    ];
  });
  const [most] = [...lacking].sort((one, other) => other.count - one.count);
  if (most === undefined) return [];
  const { metric, count, all } = most;
  const one = count === 1;
  const isUnscored = lacking.some(({ unscored }) => unscored > 0);
  const counted =
    rule === "zero"
      ? `${one ? "counts" : "count"} 0${isUnscored ? ", but for those that the metric did not score, left out" : ""}`
      : `${one ? "is" : "are"} left out`;
  return [
    `${lacking.length === 1 ? `${metric}: ` : "up to "}${count} of ${all} groups ${one ? "has" : "have"} ` +
      `no coefficient (one row, or all rated or scored the same) and ${counted}`,
  ];
}

function clipped({ metric, grouped }: Named): MetricWarning[] {
  const most = Math.max(0, largestOf(Object.values(grouped?.clipped ?? {})));
  if (grouped === undefined || most === 0) return [];
  return [
    {
      metric,
      text:
        `${most} of ${grouped.groups} groups ${most === 1 ? "has" : "have"} a coefficient of 1 or -1, ` +
        "clipped to 0.999999 for Fisher's z, and outweigh the others; the plain mean does not do so",
    },
  ];
}
