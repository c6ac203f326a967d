import { readTable } from "../../files/read-table.js";
import { type ColumnKinds, optionalText } from "../../tables/columns.js";
import type { BlockSettings } from "../config/study-config.js";
import type { ItemDraft, ItemRow, Protocol } from "../protocols/protocol.js";
import { plainColumns } from "./plain-columns.js";

/** Where a block's items come from. */
export interface ItemTable {
  readonly path: string;
  /** The table's name in messages. */
  readonly name: string;
}

/**
 * Reads the items of a block from a table; columns that the protocol does not name are kept beside.
 *
 * @throws InputError that lists bad rows by line.
 */
export async function readTableItems(
  table: ItemTable,
  { protocol, settings }: { readonly protocol: Protocol; readonly settings: BlockSettings },
): Promise<readonly ItemDraft[]> {
  const rows = [];
  for await (const { row, beside } of rowsOf(table, { columns: protocol.columns, settings })) {
    rows.push({ row, beside });
  }
  return protocol.items(rows);
}

/** A gold item and its known answer. */
export interface GoldDraft {
  readonly draft: ItemDraft;
  readonly value: string;
}

/** Reads gold items: the protocol's columns and `value`. */
export async function readGoldItems(
  table: ItemTable,
  { protocol, settings }: { readonly protocol: Protocol; readonly settings: BlockSettings },
): Promise<readonly GoldDraft[]> {
  const columns = { ...protocol.columns, value: { ...optionalText, isRequired: true } };
  const gold: GoldDraft[] = [];
  for await (const { row, beside } of rowsOf(table, { columns, settings })) {
    const { value, ...own } = row;
    const [draft] = protocol.items([{ row: own, beside }]);
    if (draft !== undefined) gold.push({ draft, value: String(value ?? "") });
  }
  return gold;
}

/** A study has no flag that maps columns: its file does. */
const otherShape = () =>
  "If a column has another name, map it in the block: map: {image: my_column}";

async function* rowsOf(
  { path, name }: ItemTable,
  { columns, settings }: { readonly columns: ColumnKinds; readonly settings: BlockSettings },
): AsyncGenerator<ItemRow> {
  const map = settings.map ?? {};
  const used = new Set(Object.keys(columns).map((column) => map[column] ?? column));
  const unique = "id" in columns ? ["id"] : [];
  const source = { name, path };
  for await (const { row, all } of readTable({ source, columns, map, unique, otherShape })) {
    yield { row, beside: plainColumns(all, used) };
  }
}
