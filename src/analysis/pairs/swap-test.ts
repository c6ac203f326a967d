import { nameCount } from "../../core/text-column.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { fewClusters, rareOutcome } from "../inference/few-clusters.js";
import type { ClusterUnit, IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import { type Direction, outcomeCodes, outcomesOf } from "./pair-sums.js";
import type { PairTable } from "./pair-table.js";
import type { TieOptions } from "./score-ties.js";
import { type SwapRow, type SwapSummary, swapOf, swapPairs } from "./swap.js";

export interface SwapTestOptions extends IntervalOptions, TieOptions {
  /** Direction of the metrics. Default "higher". */
  readonly direction?: Direction | undefined;
}

/** How often metrics prefer a description whose attributes are swapped. */
export interface SwapTestConclusion {
  readonly metrics: Readonly<Record<string, SwapSummary>>;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly direction: Direction;
  /** Rows with both scores, over all metrics. */
  readonly n: number;
  readonly unscored: number;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * `swap` of a table: each metric over all its rows, with what a reader must know. Intervals draw whole
 * prompts, or rows where none is named.
 *
 * @example
 * swapTest([{ id: "1", metric: "m", original: 0.7, swapped: 0.8 }]).metrics.m?.failureRate.value // 1
 */
export const swapTest = (
  rows: readonly SwapRow[],
  options: SwapTestOptions = {},
): SwapTestConclusion => swapTestOf(swapPairs(rows), options);

/** The same of rows by column. */
export function swapTestOf(
  pairs: PairTable,
  { direction = "higher", ...options }: SwapTestOptions = {},
): SwapTestConclusion {
  const { metrics, intervals, ...found } = swapOf(pairs, {
    ...options,
    directionOf: () => direction,
  });
  const { tieTolerance } = found;
  const { method, clusteredBy } = intervals;
  return {
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, { overall }]) => [name, overall]),
    ),
    ...found,
    direction,
    warnings: swapWarnings(pairs, { direction, tieTolerance, method, clusteredBy }),
    intervals,
  };
}

/**
 * Caveats of a swap test, a sentence each.
 *
 * @param pairs of each metric and image: `correct` its score for the description, `adversarial` that for
 *   the swapped one; the prompt is the description.
 * @param options.clusteredBy what intervals draw; of images that are made from one description that.
 */
export function swapWarnings(
  pairs: PairTable,
  {
    direction = "higher",
    tieTolerance,
    method,
    clusteredBy = "description",
  }: SwapTestOptions & Pick<IntervalMethod, "method"> & { readonly clusteredBy?: ClusterUnit },
): string[] {
  const found = pairs.columns.metric.names.map((metric): Found => {
    const scored = pairs.scoredOf(metric);
    const outcomes = outcomesOf(pairs, scored, { direction, tieTolerance });
    const failed = scored.filter((_, at) => outcomes[at] === outcomeCodes.fail);
    return {
      metric,
      all: pairs.rowsOf(metric).length,
      scored,
      failing: pairs.clusters(failed).count,
      of: { method, clusters: pairs.clusters(scored).count, clusteredBy },
    };
  });
  return [
    ...metricWarnings(found.flatMap(unscored)),
    ...differentImages(found, pairs),
    ...metricWarnings(
      found.flatMap(({ metric, scored, failing, of }) => [
        ...[
          ...fewClusters(of),
          ...rareOutcome({ showing: failing, what: "fails", method: of }),
          ...(scored.length > 0 && failing === 0 ? [noneFails(of.clusters)] : []),
        ].map((text) => ({ metric, text })),
      ]),
    ),
  ];
}

/** The rows of a metric, and how many of its clusters fail. */
interface Found {
  readonly metric: string;
  readonly all: number;
  readonly scored: Int32Array;
  readonly failing: number;
  readonly of: Pick<IntervalMethod, "method" | "clusters" | "clusteredBy">;
}

function unscored({ metric, all, scored }: Found): MetricWarning[] {
  const missing = all - scored.length;
  const are = missing === 1 ? "is" : "are";
  const text = `${missing} of ${all} images ${are} unscored and excluded; see the bounds`;
  return missing === 0 ? [] : [{ metric, text }];
}

function differentImages(found: readonly Found[], { columns: { id } }: PairTable): string[] {
  const counts = new Uint32Array(nameCount(id));
  for (const { scored } of found) {
    for (const row of scored) counts[id.codes[row] ?? 0] = (counts[id.codes[row] ?? 0] ?? 0) + 1;
  }
  const all = counts.filter((count) => count > 0).length;
  const shared = counts.filter((count) => count === found.length).length;
  return shared === all
    ? []
    : [
        `the metrics were not all scored on the same images: ${shared} of ${all} images have ` +
          "scores of every metric",
      ];
}

/** Then every resample says so, too. */
const noneFails = (clusters: number) =>
  "no image fails, so the interval of the failure rate has no width: up to " +
  `${(shareAfterNone(clusters) * 100).toFixed(1)} % may still fail`;
