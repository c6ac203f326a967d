import type { EnsembleFinding } from "../../../experiments/ensemble/claims.js";
import type { CellTable } from "../../../tables/cell-table.js";

/** A row for each claim, world and objective; unrounded. */
export function claimsRows(findings: readonly EnsembleFinding[]): CellTable {
  const columns = [
    ...(["world", "statement", "source", "measured", "objective"] as const),
    ...(["expected", "threshold", "outcome", "n", "pAdjusted"] as const),
  ];
  return {
    columns: [...columns, "difference", "low", "high", "reason"],
    rows: findings.map((finding) => [
      ...columns.map((column) => finding[column]),
      ...[finding.estimate.value, finding.estimate.low, finding.estimate.high],
      finding.reason ?? null,
    ]),
  };
}
