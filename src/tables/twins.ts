import { quoted } from "./format.js";
import { Places } from "./places.js";

/** Where the rows of one file begin among those of all. */
interface Start {
  readonly name: string;
  /** The word for a place: "line" or "row". */
  readonly place: string;
  /** As many places lie before it. */
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
    const now = this.#starts.at(-1);
    if (this.#unique.length === 0 || now === undefined) return undefined;
    const values: unknown[] = [];
    for (const column of this.#unique) {
      const value = row[column];
      // A row that names nothing is the twin of none: raters, say, may be anonymous.
      if (value === undefined) return undefined;
      values.push(value);
    }
    this.#last = Math.max(this.#last, now.before + line);
    const earlier = this.#places.firstLine(JSON.stringify(values), now.before + line);
    if (earlier === undefined) return undefined;
    this.#count += 1;
    const what = this.#unique
      .map((column, index) => `${column} ${quoted(values[index])}`)
      .join(" of ");
    const then = this.#starts.findLast(({ before }) => before < earlier) ?? now;
    const where = `${then.place} ${earlier - then.before}`;
    return `${what} stands in ${then === now ? where : `${where} of ${then.name}`} already`;
  }
}
