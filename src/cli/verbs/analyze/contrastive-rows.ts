import type {
  ContrastiveConclusion,
  ContrastiveSummary,
} from "../../../analysis/pairs/contrastive.js";
import type { CsvRow } from "../../conclusions/flat-table.js";

/** A row for each metric and scope (overall, macro, a domain); shares from 0 to 1. */
export const contrastiveRows = ({ metrics }: ContrastiveConclusion): CsvRow[] =>
  Object.entries(metrics).flatMap(([metric, { overall, macro, domains }]) => [
    { metric, scope: "overall", domain: "", ...summaryCells(overall) },
    { metric, scope: "macro", domain: "", ...summaryCells(macro) },
    ...Object.entries(domains).map(([domain, summary]) => ({
      metric,
      scope: "domain",
      domain,
      ...summaryCells(summary),
    })),
  ]);

const summaryCells = ({ n, unscored, ties, bounds, ...estimates }: ContrastiveSummary) => ({
  n,
  unscored,
  ties,
  failureRate: estimates.failureRate,
  strictFailureRate: estimates.strictFailureRate,
  meanCorrect: estimates.meanCorrect,
  meanAdversarial: estimates.meanAdversarial,
  difference: estimates.difference,
  correctMargin: estimates.correctMargin,
  incorrectMargin: estimates.incorrectMargin,
  bounds,
});
