import { isLists, listAt } from "../core/number-lists.js";
import type { ColumnKind, ColumnKinds, RowOf } from "./columns.js";
import type { Table } from "./shapes.js";

/** Rows of a table as objects, one at a time: for what acts on rows. */
export function* rowsOf<Kinds extends ColumnKinds>(
  { length, columns }: Pick<Table<Kinds>, "length" | "columns">,
  kinds: Kinds,
): Generator<RowOf<Kinds>> {
  const cells = Object.entries<ColumnKind<unknown>>(kinds).map(([name, kind]) => {
    const column: unknown = columns[name];
    const read = kind.read(null, { isText: false });
    const nothing = "value" in read ? read.value : undefined;
    return [name, cellsOf(column, nothing)] as const;
  });
  for (let row = 0; row < length; row++) {
    // Each column was made by its kind.
    yield Object.fromEntries(cells.map(([name, cellOf]) => [name, cellOf(row)])) as RowOf<Kinds>;
  }
}

function cellsOf(column: unknown, nothing: unknown): (row: number) => unknown {
  if (column instanceof Float64Array) {
    return (row) => (Number.isNaN(column[row]) ? nothing : column[row]);
  }
  if (Array.isArray(column)) return (row) => column[row];
  if (isLists(column)) {
    return (row) => {
      const list = listAt(column, row);
      return list.length === 0
        ? nothing
        : Array.from(list, (item) => (Number.isNaN(item) ? null : item));
    };
  }
  const { codes, names } = column as { codes: Int32Array; names: readonly string[] };
  return (row) => names[codes[row] ?? -1] ?? nothing;
}
