import { extname } from "node:path";
import { InputError } from "../core/errors.js";
import { type CellTable, cellTable, csvText, type TableCell } from "../tables/cell-table.js";
import type { FileContent } from "./atomic.js";

type Row = Readonly<Record<string, TableCell | undefined>>;
type RowsWriter = (rows: readonly Row[]) => FileContent | Promise<FileContent>;

/**
 * Returns a writer of rows for a file, by its ending; the columns are those of all rows, or the ones named.
 *
 * @throws InputError, at once, for an ending that is none of .csv, .jsonl and .parquet.
 * @example await writeFileAtomically(out, await rowsWriter(out)([{ item: "a", value: 1 }]))
 */
export function rowsWriter(out: string, named?: readonly string[]): RowsWriter {
  const table = (rows: readonly Row[]) =>
    cellTable(named ?? [...new Set(rows.flatMap((row) => Object.keys(row)))], rows);
  switch (extname(out).toLowerCase()) {
    case ".csv":
      return (rows) => csvText(table(rows));
    case ".jsonl":
      return (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    case ".parquet":
      return (rows) => parquetBytes(table(rows));
    default:
      throw new InputError(
        `Expected a file that ends in .csv, .jsonl or .parquet for --out but received "${out}"`,
      );
  }
}

/**
 * A table as Parquet, packed with Snappy. A column of whole numbers below 2^31 is INT32, of other
 * numbers DOUBLE, else text (UTF-8); any cell may be null.
 *
 * @example await writeFileAtomically("rows.parquet", await parquetBytes({ columns: ["n"], rows: [[1]] }))
 */
export async function parquetBytes({ columns, rows }: CellTable): Promise<Uint8Array> {
  // Loaded when first used: most tables are text.
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? null);
    const type = typeOf(cells);
    return { name, type, data: type === "STRING" ? cells.map(asText) : cells };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function typeOf(cells: readonly TableCell[]): "INT32" | "DOUBLE" | "STRING" {
  const filled = cells.filter((cell) => cell !== null);
  if (filled.length === 0 || !filled.every((cell) => typeof cell === "number")) return "STRING";
  return filled.every((cell) => (cell | 0) === cell && !Object.is(cell, -0)) ? "INT32" : "DOUBLE";
}

const asText = (cell: TableCell) => (cell === null ? null : String(cell));
