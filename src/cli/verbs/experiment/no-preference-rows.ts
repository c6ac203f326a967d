import type { NoPreferenceConclusion } from "../../../experiments/no-preference/no-preference.js";
import type { Estimate } from "../../../stats/estimate.js";
import type { CellTable } from "../../../tables/cell-table.js";

/**
 * A row for each method at each setting, unrounded: confidence where neither image is better, accuracy
 * on all degraded copies. After it, a row for each kind of copy, whose degradation is named: confidence
 * and accuracy on those.
 */
export function preferenceRows({ cells, n }: NoPreferenceConclusion): CellTable {
  const columns = ["method", "prompts", "labels", "confidence", "confidenceLow", "confidenceHigh"];
  const more = ["accuracy", "accuracyLow", "accuracyHigh", "isBest", "pAdjusted"];
  const bounds = ({ value, low, high }: Estimate) => [value, low, high];
  return {
    columns: [...columns, ...more, "degradation", "n"],
    rows: cells.flatMap(({ method, prompts, labels, copies, isBest, pAdjusted, ...cell }) => [
      [
        ...[method, prompts, labels, ...bounds(cell.confidence), ...bounds(cell.accuracy)],
        ...[String(isBest), pAdjusted, null, n],
      ],
      ...copies.map((copy) => [
        ...[method, prompts, labels, ...bounds(copy.confidence), ...bounds(copy.accuracy)],
        ...[null, null, copy.degradation, copy.n],
      ]),
    ]),
  };
}
