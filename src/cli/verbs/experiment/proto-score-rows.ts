import type { ProtoScoreComparison } from "../../../experiments/proto-score/comparison.js";
import type { CellTable } from "../../../tables/cell-table.js";

const measures = [
  "triplets",
  "controls",
  "reversed",
  "prejudice",
  "alignment",
  "calibrationError",
] as const;

/** A row for each metric and measure; unrounded. */
export const protoScoreRows = ({ methods }: ProtoScoreComparison): CellTable => ({
  columns: ["metric", "trainedBy", "measure", "n", "unscored", "value", "low", "high", "reason"],
  rows: methods.flatMap((method) =>
    measures.map((measure) => {
      const { n, unscored, value } = method[measure];
      const found = [value.value, value.low, value.high, value.reason ?? null];
      return [method.name, method.says, measure, n, unscored, ...found];
    }),
  ),
});
