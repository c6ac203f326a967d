import type { GridTables } from "../../../experiments/ensemble-experiment-tables.js";
import { csvLine } from "../../../tables/csv-text.js";

/** A row for each number of the tables and for each point of the curves; unrounded. */
export function gridCsv({ methodsTable, clustersTable, curves }: GridTables): string {
  const columns = ["table", "method", "prompts", "labels", "clusters", "metric", "coverage"];
  const more = ["value", "low", "high", "isBest", "pAdjusted"];
  const cellsOf = (table: string, cells: GridTables["methodsTable"]) =>
    cells.map(({ method, prompts, labels, clusters, metric, estimate, isBest, pAdjusted }) =>
      csvLine([
        ...[table, method, prompts, labels, method.startsWith("mmb") ? clusters : null],
        ...[metric, null, estimate.value, estimate.low, estimate.high, String(isBest), pAdjusted],
      ]),
    );
  return [
    csvLine([...columns, ...more]),
    ...cellsOf("methods", methodsTable),
    ...cellsOf("clusters", clustersTable),
    ...curves.flatMap(({ method, prompts, labels, clusters, points }) =>
      points.map(({ coverage, error }) =>
        csvLine([
          ...["figure 3", method, prompts, labels, method.startsWith("mmb") ? clusters : null],
          ...["error", coverage, error.value, error.low, error.high, null, null],
        ]),
      ),
    ),
  ].join("");
}
