import { number3 } from "../../terminal/numbers.js";
import { type Column, table } from "../../terminal/terminal-table.js";
import type { ResultRow } from "./result-row.js";

/** Results one by one, for people; with the models (and their addresses) where one metric has several. */
export function resultsText(rows: readonly ResultRow[], width: number): string {
  const metrics = new Set(rows.map(({ metric }) => metric));
  const pairs = new Set(rows.map(({ metric, model }) => `${metric} ${model}`));
  const placed = new Set(rows.map(({ metric, model, baseUrl }) => `${metric} ${model} ${baseUrl}`));
  const names = [
    ...["image", "text", "metric"],
    ...(placed.size > metrics.size ? ["model"] : []),
    ...(placed.size > pairs.size ? ["baseUrl"] : []),
  ];
  const columns: Column[] = [
    ...names.map((title) => ({ title })),
    { title: "score", align: "right", isEssential: true },
  ];
  return table(
    columns,
    rows.map((row) => [...names.map((name) => String(row[name])), scoreText(row)]),
    width,
  );
}

const scoreText = ({ value, reason }: ResultRow) =>
  typeof value === "number" ? number3(value) : `unscored: ${reason}`;
