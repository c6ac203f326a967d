import { quoted } from "./format.js";
import { type Hash, joinedHash, Places, valueHash } from "./places.js";

/** Where the rows of one file begin among those of all. */
interface Start {
  readonly name: string;
  /** The word for a place: "line" or "row". */
  readonly place: string;
  /** The line or row of the last place in the files before it, added up. */
  readonly before: number;
}

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

  /** Notes a row; what is wrong with it, where its values were there before. */
  problem(row: Readonly<Record<string, unknown>>, line: number): string | undefined {
    const hash = this.#hashOf(row);
    if (hash === undefined) return undefined;
    const before = this.#starts.at(-1)?.before ?? 0;
    this.#last = Math.max(this.#last, before + line);
    const earlier = this.#places.firstLine(hash.high, hash.low, before + line);
    return earlier === undefined ? undefined : this.#text((column) => row[column], earlier);
  }

  /** Key of a row; undefined where it names nothing and is the twin of none: raters, say, may be anonymous. */
  #hashOf(row: Readonly<Record<string, unknown>>): Hash | undefined {
    const parts: Hash[] = [];
    for (const column of this.#unique) {
      const value = row[column];
      if (value === undefined) return undefined;
      parts.push(valueHash(value));
    }
    return parts.length === 0 ? undefined : joinedHash(parts);
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
