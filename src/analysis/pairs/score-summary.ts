import type { UnscoredReason } from "../../core/unscored.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { type PromptClusters, promptClusters } from "../inference/prompt-clusters.js";

/** One metric's answer about one image. */
export interface ScoreRow {
  readonly id: string;
  /** Images of one prompt are drawn together in the bootstrap. */
  readonly prompt?: string | undefined;
  /** null = unscored. */
  readonly value: number | null;
  readonly reason?: UnscoredReason;
}

export interface ScoreSummary {
  /** Rows with a score. */
  readonly n: number;
  readonly unscored: number;
  /** How many rows are unscored, by reason. */
  readonly reasons: Readonly<Partial<Record<UnscoredReason, number>>>;
  readonly mean: Estimate;
  /** The mean, had every unscored row got the lowest or the highest score there is. */
  readonly bounds: readonly [low: number, high: number];
  readonly intervals: IntervalMethod;
}

/**
 * The mean of one metric's scores over images, with a 95 % interval. Unscored rows are counted and
 * are in no mean; `bounds` says what they could change.
 *
 * @param options.range the ends of the metric's range
 * @param options.isShare whether each value is 0 or 1; the mean of none or all then has a one-sided bound
 * @example
 * scoreSummary([{ id: "1", value: 0.2 }, { id: "2", value: 0.4 }], { range: [0, 1] }).mean.value // 0.3
 */
export function scoreSummary(rows: readonly ScoreRow[], options: SummaryOptions): ScoreSummary {
  const scored = rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]));
  const reasons: Partial<Record<UnscoredReason, number>> = {};
  for (const { value, reason } of rows) {
    if (value === null && reason !== undefined) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return summaryOfScores(
    {
      values: Float64Array.from(scored, ({ value }) => value),
      unscored: rows.length - scored.length,
      reasons,
      clusters: promptClusters(scored),
      clusteredBy: rows.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
    },
    options,
  );
}

interface SummaryOptions extends IntervalOptions {
  readonly range: readonly [low: number, high: number];
  readonly isShare?: boolean;
}

/** One metric's scores, without the rows that have none. */
export interface Scores {
  readonly values: Float64Array;
  readonly clusters: PromptClusters;
  readonly clusteredBy: "prompt" | "row";
  readonly unscored: number;
  readonly reasons: ScoreSummary["reasons"];
}

/** The same of columns. */
export function summaryOfScores(
  { values, clusters: { cluster, count }, clusteredBy, unscored, reasons }: Scores,
  { range, isShare = false, ...options }: SummaryOptions,
): ScoreSummary {
  const n = values.length;
  const intervals = intervalMethod(options, { clusters: count, clusteredBy });
  const table = clusterSums({
    cluster,
    group: new Int32Array(n),
    columns: [new Float64Array(n).fill(1), values],
    clusters: count,
    groups: 1,
  });
  const term = {
    weight: 1,
    groups: [0],
    numerator: 1,
    denominator: 0,
    whenEmpty: "nothing was scored",
  };
  const [mean = undefinedEstimate(term.whenEmpty)] = estimate(
    table,
    [{ terms: [term], within: range }],
    intervals,
  );
  const sum = values.reduce((total, value) => total + value, 0);
  const all = n + unscored;
  const had = (value: number) => (sum + unscored * value) / all;
  return {
    n,
    unscored,
    reasons,
    mean: isShare ? withOneSidedBound(mean, [term], table) : mean,
    bounds: all === 0 ? range : [had(range[0]), had(range[1])],
    intervals,
  };
}
