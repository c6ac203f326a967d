import { decimalNumber } from "../core/read-json.js";

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

const formula = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

function csvCell(cell: string | number | null): string {
  const text = typeof cell === "string" ? guardedText(cell) : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const guardedText = (text: string) =>
  formula.test(text) && decimalNumber(text) === undefined ? `'${text}` : text;
