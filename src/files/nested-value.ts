/** What a column of a row holds; undefined where the row lacks it, which is not a cell left empty. */
export interface Found {
  readonly value: unknown;
}

/** A member of an object, or of an array by its index from 0. */
export function memberOf(value: unknown, name: string): Found | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return { value: Reflect.get(value, name) };
}

/**
 * The cell of a row under a column's name, or deeper: `ratings.first.0` is the first of the array
 * `first` within the object `ratings`. A column that has dots in its own name comes first.
 */
export function cellAt(row: Readonly<Record<string, unknown>>, column: string): Found | undefined {
  const own = memberOf(row, column);
  if (own !== undefined || !column.includes(".")) return own;
  let found: Found | undefined = { value: row };
  for (const name of column.split(".")) {
    found = found && memberOf(found.value, name);
  }
  return found;
}
