import { type ConfusionImage, imagesToSwap } from "../../analysis/confusion/confusion-images.js";
import type { TestedMeasurement } from "../../analysis/inference/claims.js";
import { differenceTest } from "../../analysis/inference/exact-tests.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import {
  failureDifferences,
  failureRateDifferenceOf,
} from "../../analysis/pairs/failure-rate-difference.js";
import { PairTable } from "../../analysis/pairs/pair-sums.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import {
  type ConfusionSwapRow,
  type SwapConclusion,
  type SwapSummary,
  swap,
} from "../../analysis/pairs/swap.js";
import { swapWarnings } from "../../analysis/pairs/swap-test.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ConfusionReport, SwapSelection } from "./conclusion.js";
import { comparableSwaps } from "./findings.js";

/** A selection of images with the rows it was made of. */
export interface CountedSelection extends SwapSelection {
  readonly rows: readonly ConfusionSwapRow[];
}

/** How intervals are resampled. */
export type Resampling = { readonly seed: number; readonly resamples: number | undefined };

/** Selects images that show what they should, where the reference knows; then all. */
export function swapSelections(
  images: readonly ConfusionImage[],
  rows: readonly ConfusionSwapRow[],
  metrics: readonly EvaluatedMetric[],
  { unfiltered, ...options }: Resampling & TieOptions & { readonly unfiltered: boolean },
): readonly [CountedSelection, ...CountedSelection[]] {
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  const of = (some: readonly ConfusionSwapRow[]) =>
    swap(some, { ...options, directionOf: (metric) => directions.get(metric) ?? "higher" });
  const all: CountedSelection = {
    name: "all images",
    description: "as they were generated",
    images: images.length,
    rows,
    swap: of(rows),
  };
  const counted = imagesToSwap(images, { unfiltered });
  if (counted === images) return [all];
  const right = new Set(counted.map(({ image }) => image.key as string));
  const itsRows = rows.filter(({ id }) => right.has(id));
  const asDescribed: CountedSelection = {
    name: "as described",
    description: "that show every attribute where it belongs and none elsewhere, by the reference",
    images: right.size,
    rows: itsRows,
    swap: of(itsRows),
  };
  return [asDescribed, all];
}

export const withoutRows = ({ rows, ...selection }: CountedSelection): SwapSelection => selection;

/** Parts of a report by which metrics of a swap test are compared. */
export interface SwapsCompared extends Pick<ConfusionReport, "standing"> {
  readonly rows: readonly ConfusionSwapRow[];
  readonly swap: SwapConclusion;
  readonly seed: number;
}

/** Difference between two metrics of a swap test, and the measurement that a claim about it is tested by. */
export interface SwapDifference {
  readonly metric: string;
  readonly than: string;
  readonly difference: Estimate & { readonly n: number };
  readonly tested: TestedMeasurement;
}

/** Compares every headline metric with every other, by failures and half of ties. */
export function swapDifferences({ standing, rows, swap, seed }: SwapsCompared): SwapDifference[] {
  const comparable = PairTable.of(comparableSwaps({ standing, rows }));
  const { tieTolerance } = swap;
  return standing.flatMap(({ id: metric }, at) =>
    standing.slice(at + 1).map(({ id: than }) => {
      const both = { metric, than, ties: "half", tieTolerance } as const;
      const difference = failureRateDifferenceOf(comparable, { ...both, seed });
      const differing = failureDifferences(comparable, both);
      const random = randomFrom(seed, "exact test", "half of ties", metric, than);
      const tested: TestedMeasurement = {
        measured: `share of swap failures and half of ties of ${metric} minus that of ${than}`,
        scale: "difference of shares",
        estimate: difference,
        n: difference.n,
        clusters: promptClusters(differing).count,
        clusteredBy: "description",
        test: () => differenceTest(differing, { unit: "description", random }),
      };
      return { metric, than, difference, tested };
    }),
  );
}

/** Returns caveats, with metrics as the tables name them. */
export const differenceWarnings = ({ standing, rows, swap }: SwapsCompared): string[] =>
  swapWarnings(
    PairTable.of(
      comparableSwaps({ standing, rows })
        .filter(({ metric }) => standing.some(({ id }) => id === metric))
        .map((row) => ({ ...row, metric: spokenName({ metrics: standing }, row.metric) })),
    ),
    { tieTolerance: swap.tieTolerance, method: swap.intervals.method },
  );

export interface SwapRank {
  /** `EvaluatedMetric.id` */
  readonly id: string;
  readonly overall: SwapSummary;
  /** Share of failures plus half of that of ties. */
  readonly rate: number;
}

/** The metrics that stand for their name, by failures plus half of the ties, the worst first. */
export const rankedBySwap = ({
  selections: [{ swap }],
  standing,
}: Pick<ConfusionReport, "selections" | "standing">): SwapRank[] =>
  standing
    .flatMap(({ id }): SwapRank[] => {
      const overall = swap.metrics[id]?.overall;
      if (overall === undefined || overall.n === 0) return [];
      return [{ id, overall, rate: (overall.failures + overall.ties / 2) / overall.n }];
    })
    .sort((a, b) => b.rate - a.rate);
