import { largestOf } from "../../core/arrays.js";
import { clustersBehind } from "../../stats/ratio-statistic.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { fewClusters, rareOutcome } from "../inference/few-clusters.js";
import {
  type ClusterUnit,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import { type DomainSums, evidenceOfRows, type PairEvidence } from "./contrastive.js";
import { type Direction, type PairTable, sumColumn } from "./pair-sums.js";
import { defaultTieTolerance, type TieOptions } from "./score-ties.js";
import { type SwapRow, type SwapSummary, swapPairs, swapSummary, swapTieRule } from "./swap.js";

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
 * How often each metric of a table prefers a description with swapped attributes (`swap`), with warnings.
 * Intervals draw whole prompts, or rows where none is named.
 *
 * @example
 * swapTest([{ id: "1", metric: "m", original: 0.7, swapped: 0.8 }]).metrics.m?.failureRate.value // 1
 */
export const swapTest = (
  rows: readonly SwapRow[],
  options: SwapTestOptions = {},
): SwapTestConclusion => swapTestOf(evidenceOfRows(swapPairs(rows)), options);

/** The same of rows by column, or of their sums. */
export function swapTestOf(
  pairs: PairEvidence,
  { direction = "higher", tieTolerance = defaultTieTolerance, ...options }: SwapTestOptions = {},
): SwapTestConclusion {
  const found = pairs.metrics.map((metric): Found => {
    return { metric, ...pairs.sumsOf(metric, { direction, tieTolerance }) };
  });
  const intervals = intervalMethod(options, {
    clusters: Math.max(0, largestOf(found.map(({ sums }) => sums.clusters))),
    clusteredBy: pairs.prompted > 0 ? "prompt" : "row",
  });
  const metrics = found.map((one) => [one.metric, swapSummary(one, intervals)] as const);
  const n = metrics.reduce((sum, [, summary]) => sum + summary.n, 0);
  return {
    metrics: Object.fromEntries(metrics),
    tieRule: swapTieRule(tieTolerance),
    tieTolerance,
    n,
    unscored: pairs.length - n,
    direction,
    warnings: warningsOf(pairs, found, intervals),
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
export const swapWarnings = (
  pairs: PairTable,
  {
    direction = "higher",
    tieTolerance,
    method,
    clusteredBy = "description",
  }: SwapTestOptions & Pick<IntervalMethod, "method"> & { readonly clusteredBy?: ClusterUnit },
): string[] => {
  const evidence = evidenceOfRows(pairs);
  const found = evidence.metrics.map((metric): Found => {
    return { metric, ...evidence.sumsOf(metric, { direction, tieTolerance }) };
  });
  return warningsOf(evidence, found, { method, clusteredBy });
};

function warningsOf(
  pairs: PairEvidence,
  found: readonly Found[],
  { method, clusteredBy }: Pick<IntervalMethod, "method" | "clusteredBy">,
): string[] {
  return [
    ...metricWarnings(found.flatMap(unscored)),
    ...differentImages(pairs),
    ...metricWarnings(
      found.flatMap(({ metric, sums, domains }) => {
        const of = { method, clusters: sums.clusters, clusteredBy };
        const groups = domains.map(({ group }) => group);
        const failures = { denominator: sumColumn.strictFailures, numerator: 0 };
        const failing = clustersBehind({ weight: 1, groups, ...failures }, sums);
        return [
          ...fewClusters(of),
          ...rareOutcome({ showing: failing, what: "fails", method: of }),
          ...(sums.clusters > 0 && failing === 0 ? [noneFails(sums.clusters)] : []),
        ].map((text) => ({ metric, text }));
      }),
    ),
  ];
}

/** A metric's sums, all of one domain. */
interface Found extends DomainSums {
  readonly metric: string;
}

function unscored({ metric, counts: [count] }: Found): MetricWarning[] {
  const missing = count?.unscored ?? 0;
  const are = missing === 1 ? "is" : "are";
  const text = `${missing} of ${missing + (count?.n ?? 0)} images ${are} unscored and excluded`;
  return missing === 0 ? [] : [{ metric, text }];
}

function differentImages(pairs: PairEvidence): string[] {
  const { any, every } = pairs.scoredIds();
  return every === any
    ? []
    : [
        `the metrics were not all scored on the same images: ${every} of ${any} images have ` +
          "scores of every metric",
      ];
}

/** Then every resample says so, too. */
const noneFails = (clusters: number) =>
  "no image fails, so the interval of the failure rate has no width: up to " +
  `${(shareAfterNone(clusters) * 100).toFixed(1)} % may still fail`;
