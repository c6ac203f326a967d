import { listText } from "../core/phrases.js";
import { tableBlocks } from "./blocks.js";
import { rowValues } from "./cells.js";
import { type ColumnKinds, isNotAvailable, optionalText, text } from "./columns.js";
import type { WantedColumn } from "./header.js";
import { cellAt, nameText, partsOf } from "./nested-value.js";
import type { OpenTable } from "./open-table.js";
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

/** As many places behind the first one are looked at in order; then those that the whole hash leads to. */
const inOrder = 8;

/**
 * Remembers on which line a value was first seen, for millions of values: 12 bytes to 30 bytes
 * each, outside the heap of JavaScript. Values are known by a hash of 64 bits: of a million
 * different ones two are taken for one with a chance of 3 in 100 million. Its low half says where a
 * value stands, so that values which come together, and have neighbours there, are found together.
 */
export class Places {
  /** Three numbers a place: both halves of the hash, and the line; line 0 is a free place. */
  #places = new Uint32Array(3 * 1024);
  #used = 0;

  /** Notes the line, from 1, where the value is new; else gives the line it was seen on. */
  firstLine(high: number, low: number, line: number): number | undefined {
    if (this.#used * 5 > (this.#places.length / 3) * 3) this.#grow();
    const places = this.#places;
    const at = this.#find(high, low);
    const earlier = places[at + 2] ?? 0;
    if (earlier !== 0) return earlier;
    places[at] = high;
    places[at + 1] = low;
    places[at + 2] = line;
    this.#used += 1;
    return undefined;
  }

  /** Where the hash stands, or the free place where it belongs. */
  #find(high: number, low: number): number {
    const places = this.#places;
    // A power of two, so that the mask takes any hash to a place.
    const mask = places.length / 3 - 1;
    for (let step = 0; step < inOrder; step++) {
      const at = ((low + step) & mask) * 3;
      if (places[at + 2] === 0 || (places[at] === high && places[at + 1] === low)) return at;
    }
    // Steps of an odd length come past every place once.
    const stride = mixedBits(high ^ low) | 1;
    for (let place = mixedBits(high + stride) & mask; ; place = (place + stride) & mask) {
      const at = place * 3;
      if (places[at + 2] === 0 || (places[at] === high && places[at + 1] === low)) return at;
    }
  }

  #grow(): void {
    const old = this.#places;
    this.#places = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] === 0) continue;
      const to = this.#find(old[at] ?? 0, old[at + 1] ?? 0);
      for (let part = 0; part < 3; part++) this.#places[to + part] = old[at + part] ?? 0;
    }
  }
}

/** Two halves of 32 bits, without a sign. */
interface Hash {
  readonly high: number;
  readonly low: number;
}

/** The hash of a text: each half is mixed by other multipliers and then with the other one. */
export function hashOf(value: string): Hash {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 0x5f356495);
    low ^= low >>> 13;
  }
  return mixed(high, low, value.length);
}

function mixed(one: number, other: number, length: number): Hash {
  let high = Math.imul(one ^ (one >>> 16) ^ length, 0x85ebca6b) ^ Math.imul(other, 0xc2b2ae35);
  let low = Math.imul(other ^ (other >>> 16), 0xc2b2ae35);
  low ^= Math.imul(high ^ (high >>> 13), 0x27d4eb2f);
  high ^= high >>> 16;
  low ^= low >>> 15;
  return { high: high >>> 0, low: low >>> 0 };
}

/** All bits of a number mixed, a different number for each (the last step of MurmurHash3). */
function mixedBits(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** The words of a table that were read as no answer, so that it can be said. */
export class ToldWords {
  readonly #found = new Map<string, Set<string>>();

  /** The same kinds of columns, which note what they read as no answer. */
  watching<Kinds extends ColumnKinds>(kinds: Kinds): Kinds {
    const watched = Object.entries(kinds).map(([name, kind]) => [
      name,
      {
        ...kind,
        read: (cell: unknown, about: { readonly isText: boolean }) => {
          const read = kind.read(cell, about);
          if (!("value" in read)) return read;
          const { value } = read;
          const cells = value === null || value === undefined ? [cell] : lacking(value, cell);
          for (const one of cells) {
            if (typeof one === "string" && isNotAvailable(one)) this.add(name, one);
          }
          return read;
        },
      },
    ]);
    // Each kind reads what it read before.
    return Object.fromEntries(watched) as Kinds;
  }

  /** Notes a word that was read as no answer. */
  add(column: string, cell: string): void {
    const words = this.#found.get(column) ?? new Set();
    this.#found.set(column, words.add(cell.trim()));
  }

  /** Undefined where there are none. */
  sentence(table: string): string | undefined {
    if (this.#found.size === 0) return undefined;
    const columns = [...this.#found].map(
      ([column, words]) => `${listText([...words].map((word) => `"${word}"`))} in ${column}`,
    );
    return `Read as no answer: ${columns.join("; ")} (in ${table}).`;
  }
}

/** Returns the cells of a list of which some were read as nothing; none of another cell. */
function lacking(value: unknown, cell: unknown): readonly unknown[] {
  if (!Array.isArray(value) || !value.includes(null)) return [];
  const isList = typeof cell === "string" && cell.trim().startsWith("[");
  const cells: unknown = isList ? JSON.parse(cell) : cell;
  return Array.isArray(cells) ? cells : [cells];
}
