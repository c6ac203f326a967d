import type { TestedMeasurement } from "../../analysis/inference/claims.js";
import { differenceTest } from "../../analysis/inference/exact-tests.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import {
  failureDifferences,
  failureRateDifference,
} from "../../analysis/pairs/failure-rate-difference.js";
import type { ConfusionSwapRow, SwapConclusion } from "../../analysis/pairs/swap.js";
import { swapWarnings } from "../../analysis/pairs/swap-warnings.js";
import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ConfusionReport } from "./conclusion.js";
import { comparableSwaps } from "./findings.js";

/** Parts of a report by which metrics of a swap test are compared. */
export interface SwapsCompared extends Pick<ConfusionReport, "standing"> {
  readonly rows: readonly ConfusionSwapRow[];
  readonly swap: SwapConclusion;
  readonly seed: number;
}

/** How two metrics of a swap test differ, and the measurement that a claim about them is tried by. */
export interface SwapDifference {
  readonly metric: string;
  readonly than: string;
  readonly difference: Estimate & { readonly n: number };
  readonly tested: TestedMeasurement;
}

/** Compares every headline metric with every other, by failures and half of ties. */
export function swapDifferences({ standing, rows, swap, seed }: SwapsCompared): SwapDifference[] {
  const comparable = comparableSwaps({ standing, rows });
  const { tieTolerance } = swap;
  return standing.flatMap(({ id: metric }, at) =>
    standing.slice(at + 1).map(({ id: than }) => {
      const both = { metric, than, ties: "half", tieTolerance } as const;
      const difference = failureRateDifference(comparable, { ...both, seed });
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
    comparableSwaps({ standing, rows })
      .filter(({ metric }) => standing.some(({ id }) => id === metric))
      .map((row) => ({ ...row, metric: spokenName({ metrics: standing }, row.metric) })),
    { tieTolerance: swap.tieTolerance, method: swap.intervals.method },
  );
