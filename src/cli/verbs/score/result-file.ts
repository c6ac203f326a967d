import { extname } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { csvLine } from "../../../tables/csv-text.js";
import type { ResultRow } from "./result-row.js";

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
