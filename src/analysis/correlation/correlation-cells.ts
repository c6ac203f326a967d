import {
  kendallTauB,
  kendallTauC,
  type PairCounts,
  pairwiseAccuracy,
} from "../../stats/pair-counts.js";
import { intervalMethod, undefinedEstimate } from "../inference/intervals.js";
import type { CorrelationComparison, CorrelationOptions } from "./correlation.js";
import { pairRule } from "./correlation-measures.js";
import type { CorrelationMetric } from "./correlation-metric.js";
import { countWarnings, groupWarnings, type RowCounts } from "./correlation-warnings.js";
import { averagedGroups, noCoefficients } from "./within-groups.js";

/** Pairs of rows within each group, and the rows behind them, counted. */
export interface CorrelationCells extends RowCounts {
  readonly metrics: readonly string[];
  /** Groups that have a rated row, in the order of their names. */
  readonly groups: readonly string[];
  /** For each metric the counts of each group; undefined where it has no row of it. */
  readonly pairs: readonly (readonly (PairCounts | undefined)[])[];
}

const needsRows = "needs all rows: the table holds counts of pairs within prompts";

/** Kendall's tau-b and tau-c, and pairwise accuracy, within groups: the same, to the last bit, as of the rows that were counted. */
export function comparisonOfCells(
  { metrics, groups, pairs, ...counts }: CorrelationCells,
  { human, grouping, ...options }: CorrelationOptions & { readonly human: string },
): Pick<CorrelationComparison, "conclusion" | "differenceWithin"> {
  const each = pairs.map((its) =>
    its.map((counted) => {
      if (counted === undefined) return noCoefficients;
      const tau = kendallTauB(counted);
      return Number.isNaN(tau)
        ? { ...noCoefficients, n: counted.n }
        : {
            ...noCoefficients,
            n: counted.n,
            kendallTauB: tau,
            kendallTauC: kendallTauC(counted),
            pairwiseAccuracy: pairwiseAccuracy(counted),
          };
    }),
  );
  const within = averagedGroups(groups, each, { ...grouping, ...options, lacking: needsRows });
  const method = intervalMethod(options, {
    clusters: groups.length,
    clusteredBy: "prompt",
    rows: counts.rated,
  });
  const unknown = undefinedEstimate(needsRows);
  const results = metrics.map((metric, at) => {
    const n = counts.scoredBy[at] ?? 0;
    return {
      metric,
      found: {
        n,
        unscored: counts.rated - n,
        spearman: unknown,
        kendallTauB: unknown,
        pearson: unknown,
        pairwiseAccuracy: unknown,
        kendallTauC: unknown,
        p: { spearman: null, kendallTauB: null, pearson: null },
        ...(within.metrics[at] && { grouped: within.metrics[at] }),
      } satisfies CorrelationMetric,
    };
  });
  const n = results.reduce((sum, { found }) => sum + found.n, 0);
  return {
    conclusion: {
      human,
      metrics: Object.fromEntries(results.map(({ metric, found }) => [metric, found])),
      n,
      unscored: counts.rated * metrics.length - n,
      unrated: counts.rows - counts.rated,
      pairRule,
      warnings: [
        ...countWarnings({ human, metrics, ...counts }, method),
        ...groupWarnings(
          results.map(({ metric, found }) => ({ ...found, metric })),
          within.method,
        ),
      ],
      intervals: method,
      grouped: within.method,
    },
    differenceWithin: ({ metric, than, measure }) =>
      within.difference(metrics.indexOf(metric), metrics.indexOf(than), measure),
  };
}
