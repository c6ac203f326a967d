/** Value of a column in a row; undefined where the row lacks the column, which is not an empty cell. */
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
 * `first` within the object `ratings`; `item+model` is both as one text. A column that has such a name
 * itself comes first.
 */
export function cellAt(row: Readonly<Record<string, unknown>>, column: string): Found | undefined {
  const own = memberOf(row, column);
  if (own !== undefined) return own;
  return column.includes("+") ? joinedCell(row, partsOf(column)) : deeperCell(row, column);
}

/** Whether a name is a column's, leads into it or joins it with others. */
export const needs = (name: string, column: string): boolean =>
  name === column || partsOf(name).some((part) => part === column || part.split(".")[0] === column);

/** The columns that make a name together: `item` and `model` of `item+model`. */
export const partsOf = (column: string): string[] => column.split("+");

function deeperCell(row: Readonly<Record<string, unknown>>, column: string): Found | undefined {
  if (!column.includes(".")) return undefined;
  let found: Found | undefined = { value: row };
  for (const name of column.split(".")) {
    found = found && memberOf(found.value, name);
  }
  return found;
}

/** Names that one column alone does not tell apart, as text; a plus within one is doubled. */
function joinedCell(
  row: Readonly<Record<string, unknown>>,
  parts: readonly string[],
): Found | undefined {
  const cells = parts.map((part) => memberOf(row, part) ?? deeperCell(row, part));
  if (cells.includes(undefined)) return undefined;
  const texts = cells.map((cell) => nameText(cell?.value));
  return { value: texts.includes("") ? null : texts.map(doubled).join(" + ") };
}

const doubled = (text: string) => text.replaceAll("+", "++");

/** A cell as a name; "" where it is none. */
export const nameText = (value: unknown): string =>
  ["string", "number", "bigint", "boolean"].includes(typeof value) ? String(value).trim() : "";
