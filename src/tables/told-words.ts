import { listText } from "../core/phrases.js";
import { type ColumnKinds, isNotAvailable } from "./columns.js";

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
