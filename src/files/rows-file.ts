import { extname } from "node:path";
import { InputError } from "../core/errors.js";
import { cellTable, csvText, type TableCell } from "../tables/cell-table.js";
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
      return async (rows) => (await import("./parquet-bytes.js")).parquetBytes(table(rows));
    default:
      throw new InputError(
        `Expected a file that ends in .csv, .jsonl or .parquet for --out but received "${out}"`,
      );
  }
}
