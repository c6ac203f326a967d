import type { GridTables } from "../../../experiments/ensemble/tables.js";
import type { CellTable } from "../../../tables/cell-table.js";

/** A row for each number of the tables and for each point of the curves; unrounded. */
export function gridRows({ methodsTable, clustersTable, curves }: GridTables): CellTable {
  const columns = ["table", "method", "prompts", "labels", "clusters", "metric", "coverage"];
  const more = ["value", "low", "high", "isBest", "pAdjusted"];
  const cellsOf = (table: string, cells: GridTables["methodsTable"]) =>
    cells.map(({ method, prompts, labels, clusters, metric, estimate, isBest, pAdjusted }) => [
      ...[table, method, prompts, labels, method.startsWith("mmb") ? clusters : null],
      ...[metric, null, estimate.value, estimate.low, estimate.high, String(isBest), pAdjusted],
    ]);
  return {
    columns: [...columns, ...more],
    rows: [
      ...cellsOf("methods", methodsTable),
      ...cellsOf("clusters", clustersTable),
      ...curves.flatMap(({ method, prompts, labels, clusters, points }) =>
        points.map(({ coverage, error }) => [
          ...["figure 3", method, prompts, labels, method.startsWith("mmb") ? clusters : null],
          ...["error", coverage, error.value, error.low, error.high, null, null],
        ]),
      ),
    ],
  };
}
