import { nameCount, type TextColumn } from "../core/text-column.js";

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
  let { codes, count } = coded(columns[0], length);
  for (const column of columns.slice(1)) {
    const other = coded(column, length);
    ({ codes, count } = together(codes, count, other.codes, other.count));
  }
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
function coded(column: unknown, length: number): { codes: Int32Array; count: number } {
  if (isText(column)) return { codes: column.codes, count: nameCount(column) };
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

const isText = (column: unknown): column is TextColumn =>
  typeof column === "object" && column !== null && "codes" in column;

/** Numbers of pairs of numbers: rows are brought in the order of the first, then told apart by the second. */
function together(one: Int32Array, ones: number, other: Int32Array, others: number) {
  const { length } = one;
  const next = new Int32Array(ones + 1);
  for (let row = 0; row < length; row++) {
    const code = one[row] ?? -1;
    if (code >= 0) next[code + 1] = (next[code + 1] ?? 0) + 1;
  }
  for (let code = 0; code < ones; code++)
    next[code + 1] = (next[code + 1] ?? 0) + (next[code] ?? 0);
  const rows = new Int32Array(next[ones] ?? 0);
  for (let row = 0; row < length; row++) {
    const code = one[row] ?? -1;
    if (code < 0) continue;
    const at = next[code] ?? 0;
    rows[at] = row;
    next[code] = at + 1;
  }
  // By the second number: which first one it was met with last, and the pair's number.
  const metWith = new Int32Array(others).fill(-1);
  const pairOf = new Int32Array(others);
  const codes = new Int32Array(length).fill(-1);
  let count = 0;
  for (const row of rows) {
    const code = one[row] ?? -1;
    const second = other[row] ?? -1;
    if (second < 0) continue;
    if (metWith[second] !== code) {
      metWith[second] = code;
      pairOf[second] = count;
      count += 1;
    }
    codes[row] = pairOf[second] ?? 0;
  }
  return { codes, count };
}
