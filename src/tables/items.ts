import { setOwn } from "./blank-row.js";
import { tableBlocks } from "./blocks.js";
import { absent, type Block, type Cells } from "./cells.js";
import type { TableItem } from "./format.js";
import type { OpenTable } from "./open-table.js";

/**
 * Streams the items of a table, in order, as many at a time as come together.
 *
 * @param rows where the rows of a JSON document stand: see `readJsonTable`.
 * @throws InputError as `tableBlocks` does.
 */
export async function* tableItems(
  table: OpenTable,
  rows?: string,
): AsyncGenerator<Iterable<TableItem>> {
  let header: readonly string[] | undefined;
  const asker = {
    names(found: readonly string[], isHeader: boolean) {
      if (isHeader) header = found;
    },
    column: () => ({}),
  };
  for await (const block of tableBlocks(table, rows, asker)) {
    if (header !== undefined) yield [{ kind: "columns", names: header }];
    header = undefined;
    yield itemsOf(block);
  }
  // A table may have no rows.
  if (header !== undefined) yield [{ kind: "columns", names: header }];
}

/** Rows of a block and what could not be read, by line. */
function* itemsOf({ count, lines, columns, keys, bad }: Block): Generator<TableItem> {
  const all: readonly (readonly [string, Cells])[] = [...columns];
  let next = 0;
  for (let row = 0; row < count; row++) {
    const line = lines[row] ?? 0;
    for (let wrong = bad[next]; wrong !== undefined && wrong.line < line; wrong = bad[++next]) {
      yield { kind: "bad", ...wrong };
    }
    const values: Record<string, unknown> = {};
    for (const [name, cells] of all) {
      if (cells.codes[row] !== absent) setOwn(values, name, cells.value(row));
    }
    const key = keys?.[row];
    yield { kind: "row", line, values, ...(key === undefined ? {} : { key }) };
  }
  for (; next < bad.length; next++) {
    const wrong = bad[next];
    if (wrong !== undefined) yield { kind: "bad", ...wrong };
  }
}
