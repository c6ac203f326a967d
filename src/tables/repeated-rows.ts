import { codesTogether, type RowCodes } from "../core/row-codes.js";
import { isTextColumn, nameCount } from "../core/text-column.js";

/**
 * Finds rows that have the same values in all of some columns, in the order of the rows. A row that lacks one of
 * them repeats none.
 *
 * @param skipped rows that are left out.
 * @returns each such row with the first one that has its values.
 */
export function repeatedRows(
  columns: readonly unknown[],
  length: number,
  skipped: ReadonlySet<number>,
): { readonly row: number; readonly first: number }[] {
  const { codes, count } = columns.map((column) => coded(column, length)).reduce(codesTogether);
  const firstOf = new Int32Array(count).fill(-1);
  const found: { row: number; first: number }[] = [];
  for (let row = 0; row < length; row++) {
    const code = codes[row] ?? -1;
    if (code < 0 || skipped.has(row)) continue;
    const first = firstOf[code] ?? -1;
    if (first < 0) firstOf[code] = row;
    else found.push({ row, first });
  }
  return found;
}

/** Numbers of a column's values, -1 for none. */
function coded(column: unknown, length: number): RowCodes {
  if (isTextColumn(column)) return { codes: column.codes, count: nameCount(column) };
  const values = column as ArrayLike<unknown>;
  const known = new Map<unknown, number>();
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const value = values[row];
    const isNone = value === undefined || value === null || Number.isNaN(value);
    const key = typeof value === "object" ? JSON.stringify(value) : value;
    const code = isNone ? -1 : (known.get(key) ?? known.size);
    if (code >= 0) known.set(key, code);
    codes[row] = code;
  }
  return { codes, count: known.size };
}
