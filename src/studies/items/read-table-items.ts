import { append } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import { readTable } from "../../files/read-table.js";
import { cellJson } from "../../tables/cell-json.js";
import { type ColumnKinds, optionalText } from "../../tables/columns.js";
import type { BlockSettings } from "../config/study-config.js";
import type { ItemDraft, ItemRow, Protocol } from "../protocols/protocol.js";

/** Where a block's items come from. */
export interface ItemTable {
  readonly path: string;
  /** The table's name in messages. */
  readonly name: string;
}

interface ItemReading {
  readonly protocol: Protocol;
  readonly settings: BlockSettings;
  /** Called with a sentence that says which names are alike. */
  readonly tell?: ((sentence: string) => void) | undefined;
}

/**
 * Reads the items of a block from a table; columns that the protocol does not name are kept beside.
 *
 * @throws InputError that lists bad rows by line.
 */
export async function readTableItems(
  table: ItemTable,
  { protocol, settings, tell }: ItemReading,
): Promise<readonly ItemDraft[]> {
  const rows: ItemRow[] = [];
  const problems: string[] = [];
  for await (const row of rowsOf(table, { columns: protocol.columns, settings, tell })) {
    const drafts = draftsOf([row], protocol);
    if (drafts instanceof InputError) problems.push(`${drafts.message} (${row.place})`);
    rows.push(row);
  }
  refuse(problems, table);
  return protocol.items(rows).map((draft) => ({
    ...draft,
    placeOf: (image) =>
      rows.find(({ row }) => (row.id ?? draft.id) === draft.id && names(row, image))?.place,
  }));
}

/** A gold or practice item and its known answer. */
export interface KnownDraft {
  readonly draft: ItemDraft;
  readonly value: string;
  /** Why that is the answer, where the table says so. */
  readonly feedback: string | undefined;
  /** Such as "in gold.csv, line 2". */
  readonly place: string;
}

/** Reads items with a known answer: the protocol's columns, `value`, and `feedback` where the table has it. */
export async function readKnownItems(
  table: ItemTable,
  { protocol, settings, tell, hasFeedback }: ItemReading & { readonly hasFeedback: boolean },
): Promise<readonly KnownDraft[]> {
  const columns = {
    ...protocol.columns,
    value: { ...optionalText, isRequired: true },
    ...(hasFeedback && { feedback: optionalText }),
  };
  const known: KnownDraft[] = [];
  const problems: string[] = [];
  for await (const { row, beside, place } of rowsOf(table, { columns, settings, tell })) {
    const { value, feedback, ...own } = row;
    const why = typeof feedback === "string" ? feedback : undefined;
    const drafts = draftsOf([{ row: own, beside }], protocol);
    if (drafts instanceof InputError) problems.push(`${drafts.message} (${place})`);
    else {
      const ofRow = drafts.map((draft) => ({ ...draft, placeOf: () => place }));
      append(
        known,
        ofRow.map((draft) => ({ draft, value: String(value ?? ""), feedback: why, place })),
      );
    }
  }
  refuse(problems, table);
  return known;
}

/** The items of rows, or why they give none. */
function draftsOf(rows: readonly ItemRow[], protocol: Protocol): readonly ItemDraft[] | InputError {
  try {
    return protocol.items(rows);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

const names = (row: ItemRow["row"], image: string): boolean =>
  Object.values(row).flat().includes(image);

function refuse(problems: readonly string[], { name }: ItemTable): void {
  if (problems.length > 0)
    throw new InputError(`Expected valid rows in ${name} but found problems`, { problems });
}

/** A study's configuration maps columns; there is no flag for it. */
const otherShape = () =>
  "If a column has another name, map it in the block: map: {image: my_column}";

async function* rowsOf(
  { path, name }: ItemTable,
  { columns, settings, tell }: Omit<ItemReading, "protocol"> & { readonly columns: ColumnKinds },
): AsyncGenerator<ItemRow & { readonly place: string }> {
  const map = settings.map ?? {};
  const used = new Set(Object.keys(columns).map((column) => map[column] ?? column));
  const unique = "id" in columns ? ["id"] : [];
  const source = { name, path };
  const request = { source, columns, map, unique, otherShape, tell };
  for await (const { row, all, place } of readTable(request)) {
    yield { row, beside: plainColumns(all, used), place: `in ${name}, ${place}` };
  }
}

/** Returns the columns beside those that were read, as JSON. */
export function plainColumns(
  all: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, Json][] =>
      used.has(name) || value === undefined ? [] : [[name, cellJson(value)]],
    ),
  );
}
