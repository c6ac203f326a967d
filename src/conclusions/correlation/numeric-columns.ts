import { InputError } from "../../core/errors.js";
import { score } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { isIdentifier } from "../../tables/rater-names.js";

interface Column {
  readonly values: (number | null)[];
  odd?: string;
  /** How many cells are fractions as text in a format that has numbers; whole numbers as text are often names. */
  fractions: number;
}

/** Finds out which columns hold numbers while the rows come. Columns of ids are none. */
export class NumericColumns {
  readonly #columns = new Map<string, Column>();
  readonly #others: readonly string[];
  #rows = 0;

  /** @param others columns that are left alone. */
  constructor(others: readonly string[]) {
    this.#others = others;
  }

  add(
    all: Readonly<Record<string, unknown>>,
    { place, isText }: { readonly place: string; readonly isText: boolean },
  ): void {
    for (const [name, cell] of Object.entries(all)) {
      if (this.#others.includes(name) || isIdentifier(name)) continue;
      const column = this.#columns.get(name) ?? { values: [], fractions: 0 };
      this.#columns.set(name, column);
      const read = score.read(cell, { isText });
      if ("value" in read) column.values[this.#rows] = read.value;
      else {
        column.odd ??= `${quoted(cell)} in ${place}`;
        if (!isText && isFraction(cell)) column.fractions += 1;
      }
    }
    this.#rows += 1;
  }

  /** @throws InputError for a column that has numbers in some rows and something else in others. */
  names(table: string): string[] {
    return [...this.#columns].flatMap(([name, { values, odd }]) => {
      const hasNumbers = values.some((value) => value !== null);
      if (hasNumbers && odd !== undefined) {
        throw new InputError(
          `Expected numbers or nothing for ${name} but received ${odd} (in ${table})`,
          {
            hint:
              "Correct it, name the value that means no answer (--unscored none), or name the " +
              "metrics to use (--metrics a,b)",
          },
        );
      }
      return hasNumbers ? [name] : [];
    });
  }

  /** Columns without a number of which most cells are fractions as text. */
  get asText(): string[] {
    return [...this.#columns].flatMap(([name, { values, fractions }]) =>
      fractions > this.#rows / 2 && values.every((value) => value === null) ? [name] : [],
    );
  }

  value(name: string, row: number): number | null {
    return this.#columns.get(name)?.values[row] ?? null;
  }
}

function isFraction(cell: unknown): boolean {
  const read = score.read(cell, { isText: true });
  return "value" in read && read.value !== null && !Number.isInteger(read.value);
}
