import type { Names } from "../core/names.js";
import type { Column } from "./column-table.js";
import { quoted } from "./format.js";
import { type Hash, joinedHash, mixedBits, Places, valueHash } from "./places.js";

/** Where the rows of one file begin among those of all. */
interface Start {
  readonly name: string;
  /** The word for a place: "line" or "row". */
  readonly place: string;
  /** As many places lie before it. */
  readonly before: number;
}

/** Rows by column, whose names are numbers. */
interface NumberedRows {
  readonly columns: Readonly<Record<string, Column>>;
  readonly line: number;
  readonly count: number;
  readonly names: Readonly<Record<string, Names>>;
}

/** As many values of the second column have neighbouring places, where the first one's is the same. */
const nearby = 8;

/** Finds rows that have the same values in columns whose values may stand together in one row only. */
export class Twins {
  readonly #unique: readonly string[];
  readonly #places = new Places();
  readonly #starts: Start[] = [];
  #last = 0;
  #count = 0;

  constructor(unique: readonly string[]) {
    this.#unique = unique;
  }

  /** How many rows were found to be there already. */
  get count(): number {
    return this.#count;
  }

  /** The rows that come now are of this file. */
  begin({ name, place }: Pick<Start, "name" | "place">): void {
    this.#starts.push({ name, place, before: this.#last });
  }

  /** Key of a row; undefined where it names nothing and is the twin of none: raters, say, may be anonymous. */
  hashOf(row: Readonly<Record<string, unknown>>): Hash | undefined {
    const parts: Hash[] = [];
    for (const column of this.#unique) {
      const value = row[column];
      if (value === undefined) return undefined;
      parts.push(valueHash(value));
    }
    return parts.length === 0 ? undefined : joinedHash(parts);
  }

  /** Notes a row; what is wrong with it, where its values were there before. */
  problem(
    row: Readonly<Record<string, unknown>>,
    line: number,
    hash: Hash | undefined,
  ): string | undefined {
    if (hash === undefined) return undefined;
    const earlier = this.#earlier(hash.high, hash.low, line);
    return earlier === undefined ? undefined : this.#text((column) => row[column], earlier);
  }

  /**
   * Notes rows by column, whose names are numbers, from a place on up to the first that is a twin; all rows
   * are then to be noted so.
   *
   * @param rows.line of the row at place 0.
   * @returns the place of the twin and what is wrong with it; undefined where there is none before `count`.
   */
  firstTwin(
    { columns, line, count, names }: NumberedRows,
    from: number,
  ): { readonly at: number; readonly problem: string } | undefined {
    const [one, other, ...more] = this.#unique;
    if (one === undefined) return undefined;
    if (more.length > 0) throw new RangeError("Expected at most two unique columns by number");
    const first = columns[one] ?? new Int32Array();
    const second = other === undefined ? undefined : (columns[other] ?? new Int32Array());
    for (let at = from; at < count; at++) {
      const number = first[at] ?? -1;
      const besides = second === undefined ? 0 : (second[at] ?? -1);
      if (number < 0 || besides < 0) continue;
      // Tables are in the order of one column or the other: what has the same name, or the next, stands nearby.
      const low = (number * nearby + (besides % nearby)) >>> 0;
      const earlier = this.#earlier(mixedBits(besides) >>> 0, low, line + at);
      if (earlier === undefined) continue;
      const cellOf = (column: string) => names[column]?.all[columns[column]?.[at] ?? 0];
      return { at, problem: this.#text(cellOf, earlier) };
    }
    return undefined;
  }

  #earlier(high: number, low: number, line: number): number | undefined {
    const before = this.#starts.at(-1)?.before ?? 0;
    this.#last = Math.max(this.#last, before + line);
    return this.#places.firstLine(high, low, before + line);
  }

  #text(cellOf: (column: string) => unknown, earlier: number): string {
    this.#count += 1;
    const what = this.#unique.map((column) => `${column} ${quoted(cellOf(column))}`).join(" of ");
    const now = this.#starts.at(-1);
    const then = this.#starts.findLast(({ before }) => before < earlier) ?? now;
    const where = `${then?.place} ${earlier - (then?.before ?? 0)}`;
    return `${what} stands in ${then === now ? where : `${where} of ${then?.name}`} already`;
  }
}
