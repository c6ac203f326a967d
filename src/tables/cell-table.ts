import { decimalNumber } from "../core/read-json.js";

const formula = /^'*[=+\-@\t\r]/;

const guardedText = (text: string) =>
  formula.test(text) && decimalNumber(text) === undefined ? `'${text}` : text;

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

/**
 * One line of CSV (RFC 4180) with its end: quoted where it must be, quotes doubled, null empty. A text
 * that a spreadsheet would take for a formula gets a single quote before it (OWASP: CSV injection),
 * and so does one that begins as if it had got one, so that `plainText` gives back every text. Numbers,
 * and texts that are numbers, stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}

/** The text of a cell without the quote that `csvLine` puts before formulas. */
export const plainText = (cell: string): string =>
  cell.startsWith("'") && guarded.test(cell) ? cell.slice(1) : cell;

const guarded = /^'+[=+\-@\t\r]/;

function csvCell(cell: string | number | null): string {
  const text = typeof cell === "string" ? guardedText(cell) : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
