import type { EnsembleFinding } from "../../../experiments/ensemble-claims.js";
import { csvLine } from "../../../tables/csv-text.js";

/** A row for each claim, world and objective; unrounded. */
export function claimsCsv(findings: readonly EnsembleFinding[]): string {
  const columns = [
    ...(["world", "statement", "source", "measured", "objective"] as const),
    ...(["expected", "threshold", "outcome", "n", "pAdjusted"] as const),
  ];
  return [
    csvLine([...columns, "difference", "low", "high", "reason"]),
    ...findings.map((finding) =>
      csvLine([
        ...columns.map((column) => finding[column]),
        ...[finding.estimate.value, finding.estimate.low, finding.estimate.high],
        finding.reason ?? null,
      ]),
    ),
  ].join("");
}
