import { extname } from "node:path";
import type { SanityState } from "../../../analysis/sanity/sanity-finding.js";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import type { MetricFacts } from "../../../core/metric.js";
import { type ScoreParts, scorePartNames } from "../../../core/score-parts.js";
import type { ScoreResult } from "../../../metrics/score-picture.js";
import { setOwn } from "../../../tables/blank-row.js";
import { csvLine } from "../../../tables/cell-table.js";
import { number3 } from "../../terminal/numbers.js";
import { type Column as TextColumn, table } from "../../terminal/terminal-table.js";
import type { ScoreItem } from "./score-item.js";

/** One line of what `score` writes: flat, the same members for scored and unscored. */
export type ResultRow = Readonly<Record<string, Json>>;

/**
 * A result as a line; `value` is null where unscored. The table's other columns follow.
 *
 * @param sanity what was found of the metric and its model
 */
export function resultRow(
  { image, text, others }: ScoreItem,
  result: ScoreResult,
  sanity: SanityState,
): ResultRow {
  const row: Record<string, Json> = { image, text };
  for (const [name, of] of factColumns) row[name] = of(result) ?? null;
  row.sanity = sanity;
  for (const [name, value] of Object.entries(others)) setOwn(row, keptName(name), value);
  return row;
}

type Column = readonly [name: string, of: (result: ScoreResult) => Json | undefined];

const ofScore = (name: "value" | keyof ScoreParts): Column => [
  name,
  (result) => (result.status === "scored" ? result[name] : null),
];
const ofUnscored = (name: "reason" | "detail"): Column => [
  name,
  (result) => (result.status === "scored" ? null : result[name]),
];
const ofBoth = (name: "status" | keyof Omit<MetricFacts, "range">): Column => [
  name,
  (result) => result[name],
];

/** The columns that say what a result is. */
const factColumns: readonly Column[] = [
  ...(["metric", "status"] as const).map(ofBoth),
  ofScore("value"),
  ...(["reason", "detail"] as const).map(ofUnscored),
  ...scorePartNames.map(ofScore),
  ...(["convention", "template", "statistic", "model", "baseUrl", "metricVersion"] as const).map(
    ofBoth,
  ),
  ["low", ({ range }) => range[0]],
  ["high", ({ range }) => range[1]],
  ofBoth("direction"),
];

const ownColumns = ["image", "text", ...factColumns.map(([name]) => name), "sanity"];

/** Every column of results; `others` are those of the table beside image and text. */
export const resultColumns = (others: Iterable<string>): string[] => [
  ...ownColumns,
  ...new Set([...others].map(keptName)),
];

/** A column of the table whose name a result takes is kept as `input_…`. */
const keptName = (name: string) => (isOwn.has(name) ? `input_${name}` : name);

const isOwn: ReadonlySet<string> = new Set(ownColumns);

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
  const columns: TextColumn[] = [
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

const fileTypes = [".jsonl", ".csv", ".parquet", ".json", ".html"];

/** One page in place of a row for each result. */
export const isPage = (path: string | undefined): path is string =>
  path !== undefined && extname(path).toLowerCase() === ".html";

/**
 * The text of a file of results, piece by piece, in the type that the path's ending names.
 *
 * @param columns every column that a row may have, for types with a header
 * @throws InputError, at once, for an ending that is none of .jsonl, .csv, .parquet, .json and .html.
 */
export function resultText(
  path: string,
  columns: readonly string[],
): (rows: AsyncIterable<readonly ResultRow[]>) => AsyncIterable<string | Uint8Array> {
  switch (extname(path).toLowerCase()) {
    case ".jsonl":
      return jsonLines;
    case ".json":
      return jsonArray;
    case ".csv":
      return (rows) => csv(rows, columns);
    case ".parquet":
      return (rows) => parquet(rows, columns);
    default:
      throw new InputError(
        `Expected a file that ends in ${fileTypes.join(", ")} for --out but received "${path}"`,
      );
  }
}

async function* jsonLines(rows: AsyncIterable<readonly ResultRow[]>) {
  for await (const batch of rows) yield batch.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function* jsonArray(rows: AsyncIterable<readonly ResultRow[]>) {
  let before = "[\n";
  for await (const batch of rows) {
    for (const row of batch) {
      yield `${before}${JSON.stringify(row)}`;
      before = ",\n";
    }
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* csv(rows: AsyncIterable<readonly ResultRow[]>, columns: readonly string[]) {
  yield csvLine(columns);
  for await (const batch of rows) {
    yield batch.map((row) => csvLine(cellsOf(row, columns))).join("");
  }
}

/** All at once: its index stands at its end. */
async function* parquet(rows: AsyncIterable<readonly ResultRow[]>, columns: readonly string[]) {
  const cells = [];
  for await (const batch of rows) for (const row of batch) cells.push(cellsOf(row, columns));
  const { parquetBytes } = await import("../../../files/rows-file.js");
  yield await parquetBytes({ columns, rows: cells });
}

const cellsOf = (row: ResultRow, columns: readonly string[]) =>
  columns.map((column) => cellOf(row[column] ?? null));

const cellOf = (value: Json) =>
  value === null || typeof value === "number" || typeof value === "string"
    ? value
    : JSON.stringify(value);
