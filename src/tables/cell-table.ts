import { csvLine } from "./csv-text.js";

/** A table to be written: every row has a cell for each column. */
export interface CellTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

export type TableCell = string | number | null;

/** A value of a row as a cell: lists and objects as JSON, nothing as null. */
export function cellOf(value: unknown): TableCell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** @example csvText({ columns: ["id", "n"], rows: [["a", 1]] }) // "id,n\na,1\n" */
export const csvText = ({ columns, rows }: CellTable): string =>
  [columns, ...rows].map(csvLine).join("");

/** The rows as cells, in the order of the columns; what a row lacks is null. */
export const cellTable = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, TableCell | undefined>>[],
): CellTable => ({
  columns,
  rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
});
