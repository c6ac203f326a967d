import type { SwapSummary } from "../../analysis/pairs/swap.js";
import type { ConfusionReport } from "./conclusion.js";

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
