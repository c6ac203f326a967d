import { tableBlocks } from "./blocks.js";
import { rowValues } from "./cells.js";
import { optionalText, text } from "./columns.js";
import type { WantedColumn } from "./header.js";
import { cellAt, nameText, partsOf } from "./nested-value.js";
import type { OpenTable } from "./open-table.js";
import { hashOf, Places } from "./places.js";
import { fileColumn } from "./several-files.js";

interface Doubled {
  readonly tables: readonly OpenTable[];
  readonly rowsAt: string | undefined;
  readonly wanted: readonly WantedColumn[];
  /** The columns of which each row should have other values; the first names the item. */
  readonly unique: readonly string[];
}

/**
 * How to go on where several rows have one name: by a column that tells them apart, alone or with the
 * one that should have. It reads the files once more, which can't be done of a stream or a pipe.
 */
export async function apartHint(doubled: Doubled): Promise<string> {
  const [target = "id", ...others] = doubled.unique;
  const besides = others.length === 0 ? "" : ` of one ${others.join(" and ")}`;
  if (doubled.tables.some(({ source }) => source.isOnce === true)) {
    return `Name the column that distinguishes these rows, or two joined with a plus: --map ${target}=${target}+other`;
  }
  const found = await tellingColumn(doubled);
  return found === undefined
    ? `No column distinguishes these rows${besides}: correct them, or keep one of each.`
    : `These rows${besides} are distinguished by ${partsOf(found).join(" and ")}: --map ${target}=${found}`;
}

interface Candidate {
  /** As --map takes it. */
  readonly column: string;
  readonly parts: readonly string[];
  readonly places: Places;
  /** Its own values, without the column it stands beside: the fewer, the less by chance. */
  readonly values: Set<string>;
}

/** As many values of a candidate are counted. */
const mostValues = 10_000;

async function tellingColumn({
  tables,
  rowsAt,
  wanted,
  unique,
}: Doubled): Promise<string | undefined> {
  const columnOf = (target: string) =>
    wanted.find((one) => one.target === target)?.column ?? target;
  const [own = "id", ...others] = unique.map(columnOf);
  const taken = wanted
    .filter(
      ({ target, kind }) => unique.includes(target) || (kind !== text && kind !== optionalText),
    )
    .map(({ column }) => column);
  let candidates: Candidate[] | undefined;
  let row = 0;
  for await (const values of rowsOf(tables, rowsAt)) {
    row += 1;
    candidates ??= candidatesOf(
      Object.keys(values).filter((name) => !taken.includes(name)),
      own,
    );
    candidates = candidates.filter((candidate) => tells(candidate, values, { others, row }));
    if (candidates.length === 0) return undefined;
  }
  return best(candidates ?? []);
}

/** All rows; of several files with the name of each. */
async function* rowsOf(tables: readonly OpenTable[], rowsAt: string | undefined) {
  const asker = { names: () => undefined, column: () => ({}) };
  for (const table of tables) {
    const file = tables.length === 1 ? {} : { [fileColumn]: table.source.name };
    for await (const { count, columns } of tableBlocks(table, rowsAt, asker)) {
      for (let row = 0; row < count; row++) yield { ...file, ...rowValues(columns, row) };
    }
  }
}

const candidatesOf = (columns: readonly string[], own: string): Candidate[] =>
  columns.flatMap((column) =>
    [[column], [...partsOf(own), column]].map((parts) => ({
      column: parts.join("+"),
      parts,
      places: new Places(),
      values: new Set<string>(),
    })),
  );

/** Notes a row; whether no row before it had the same. */
function tells(
  { parts, places, values: known }: Candidate,
  values: Readonly<Record<string, unknown>>,
  { others, row }: { readonly others: readonly string[]; readonly row: number },
): boolean {
  const names = parts.map((part) => nameOf(cellAt(values, part)?.value));
  const last = names.at(-1) ?? "";
  if (names.includes("")) return false;
  if (known.size < mostValues) known.add(last);
  const besides = others.map((column) => nameText(cellAt(values, column)?.value));
  const { high, low } = hashOf(JSON.stringify([names, besides]));
  return places.firstLine(high, low, row) === undefined;
}

/** A measured number names nothing, even where no two are alike. */
function nameOf(value: unknown): string {
  const name = nameText(value);
  return /^[-+]?\d*\.\d+(e[-+]?\d+)?$/i.test(name) ? "" : name;
}

/** A column of ids; else, beside the column it was, the one with the fewest values; else any. */
function best(candidates: readonly Candidate[]): string | undefined {
  const fewest = [...candidates].sort((a, b) => a.values.size - b.values.size);
  const alone = fewest.filter(({ parts }) => parts.length === 1);
  const beside = fewest.filter(({ parts }) => parts.length > 1);
  const named = alone.find(({ column }) => /(^|[-_. ])(id|key)$/i.test(column));
  return (named ?? beside[0] ?? alone[0])?.column;
}
