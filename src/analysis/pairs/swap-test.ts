import { shareAfterNone } from "../../stats/share-interval.js";
import { fewClusters, rareOutcome } from "../inference/few-clusters.js";
import type { ClusterUnit, IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { byMetric, type Direction, outcomeOf } from "./pair-sums.js";
import type { PairRow } from "./pair-table.js";
import type { TieOptions } from "./score-ties.js";
import { type SwapRow, type SwapSummary, swap } from "./swap.js";

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
export function swapTest(
  rows: readonly SwapRow[],
  { direction = "higher", ...options }: SwapTestOptions = {},
): SwapTestConclusion {
  const { metrics, intervals, ...found } = swap(rows, {
    ...options,
    directionOf: () => direction,
  });
  const sign = direction === "higher" ? 1 : -1;
  const turned = (score: number | null) => (score === null ? null : sign * score);
  const { tieTolerance } = found;
  return {
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, { overall }]) => [name, overall]),
    ),
    ...found,
    direction,
    warnings: swapWarnings(
      rows.map(({ id, metric, prompt, original, swapped }) => ({
        id,
        metric,
        prompt,
        domain: "",
        correct: turned(original),
        adversarial: turned(swapped),
      })),
      { tieTolerance, method: intervals.method, clusteredBy: intervals.clusteredBy },
    ),
    intervals,
  };
}

/**
 * Caveats of a swap test, a sentence each.
 *
 * @param options.clusteredBy what intervals draw; of images that are made from one description that.
 * @param rows of each metric and image: `correct` its score for the description, `adversarial` that for
 *   the swapped one, higher being better; the prompt is the description.
 */
export function swapWarnings(
  rows: readonly PairRow[],
  {
    tieTolerance,
    method,
    clusteredBy = "description",
  }: TieOptions & Pick<IntervalMethod, "method"> & { readonly clusteredBy?: ClusterUnit },
): string[] {
  const found = [...byMetric(rows)].map(([metric, its]) => {
    const scored = its.flatMap(({ id, prompt, correct, adversarial }) =>
      correct === null || adversarial === null
        ? []
        : [{ id, prompt, outcome: outcomeOf(correct, adversarial, { ...rule, tieTolerance }) }],
    );
    const showing = (outcome: string) =>
      promptClusters(scored.filter((row) => row.outcome === outcome)).count;
    return {
      metric,
      all: its.length,
      scored,
      showing,
      of: { method, clusters: promptClusters(scored).count, clusteredBy },
    };
  });
  return [
    ...metricWarnings(found.flatMap(unscored)),
    ...differentImages(found),
    ...metricWarnings(
      found.flatMap(({ metric, scored, showing, of }) => [
        ...[
          ...fewClusters(of),
          ...rareOutcome({ showing: showing("fail"), what: "fails", method: of }),
          ...noneFails(scored, of.clusters),
        ].map((text) => ({ metric, text })),
      ]),
    ),
  ];
}

const rule = { direction: "higher" } as const;

interface Found {
  readonly metric: string;
  readonly all: number;
  readonly scored: readonly { readonly id: string; readonly outcome: string }[];
}

function unscored({ metric, all, scored }: Found): MetricWarning[] {
  const missing = all - scored.length;
  const are = missing === 1 ? "is" : "are";
  const text = `${missing} of ${all} images ${are} unscored and excluded; see the bounds`;
  return missing === 0 ? [] : [{ metric, text }];
}

function differentImages(found: readonly Found[]): string[] {
  const counts = new Map<string, number>();
  for (const { scored } of found) {
    for (const { id } of scored) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const shared = [...counts.values()].filter((count) => count === found.length).length;
  return shared === counts.size
    ? []
    : [
        `the metrics were not all scored on the same images: ${shared} of ${counts.size} images have ` +
          "scores of every metric",
      ];
}

/** Then every resample says so, too. */
function noneFails(scored: Found["scored"], clusters: number): string[] {
  if (scored.length === 0 || scored.some(({ outcome }) => outcome === "fail")) return [];
  const rest = (shareAfterNone(clusters) * 100).toFixed(1);
  return [
    `no image fails, so the interval of the failure rate has no width: up to ${rest} % may still fail`,
  ];
}
