import type {
  ContrastiveConclusion,
  ContrastiveSummary,
} from "../../../analysis/pairs/contrastive.js";
import { csvLine } from "../../../files/csv-text.js";

const estimates = [
  "failureRate",
  "strictFailureRate",
  "meanCorrect",
  "meanAdversarial",
  "difference",
  "correctMargin",
  "incorrectMargin",
] as const;

/** A row for each metric and scope (overall, macro, a domain); shares from 0 to 1, unrounded. */
export function contrastiveCsv({ metrics }: ContrastiveConclusion): string {
  const header = [
    ...["metric", "scope", "domain", "n", "unscored", "ties"],
    ...estimates.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...["boundsLow", "boundsHigh"],
  ];
  const line = (metric: string, scope: string, domain: string, summary: ContrastiveSummary) =>
    csvLine([
      ...[metric, scope, domain, summary.n, summary.unscored, summary.ties],
      ...estimates.flatMap((name) => {
        const { value, low, high } = summary[name];
        return [value, low, high];
      }),
      ...[summary.bounds.low, summary.bounds.high],
    ]);
  const lines = Object.entries(metrics).flatMap(([metric, { overall, macro, domains }]) => [
    line(metric, "overall", "", overall),
    line(metric, "macro", "", macro),
    ...Object.entries(domains).map(([domain, each]) => line(metric, "domain", domain, each)),
  ]);
  return [csvLine(header), ...lines].join("");
}
