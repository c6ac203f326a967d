import { extname } from "node:path";
import type { StereotypeRow } from "../../../analysis/stereotypes/stereotype-row.js";
import { InputError } from "../../../core/errors.js";
import { csvLine } from "../../../tables/csv-text.js";

const columns = [
  ...["query", "category", "model", "phase", "imageSet", "item", "present"],
] as (keyof StereotypeRow)[];

/**
 * What writes the rows of an audit as `analyze stereotypes` reads them, by the ending of a file.
 *
 * @throws InputError, at once, for an ending that is none of .csv and .jsonl.
 */
export function rowsText(out: string): (rows: readonly StereotypeRow[]) => string {
  switch (extname(out).toLowerCase()) {
    case ".csv":
      return (rows) =>
        [
          csvLine(columns),
          ...rows.map((row) => csvLine(columns.map((column) => row[column] ?? null))),
        ].join("");
    case ".jsonl":
      return (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    default:
      throw new InputError(
        `Expected a file that ends in .csv or .jsonl for --out but received "${out}"`,
      );
  }
}
