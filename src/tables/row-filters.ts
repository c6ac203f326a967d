import { InputError } from "../core/errors.js";
import { decimalNumber } from "../core/read-json.js";
import { type Cells, rowValues } from "./cells.js";
import { cellAt, nameText, partsOf } from "./nested-value.js";

/** Which rows of a table are read: those whose cell is the value, or is not. */
export interface RowFilter {
  readonly column: string;
  readonly value: string;
  readonly isNot: boolean;
}

/** As many values of a column are named where no row fits. */
const mostNamed = 5;

/**
 * Passes rows that fit: of several values of one column any, of several columns all. Numbers are compared as
 * numbers, texts without the spaces around them.
 */
export class RowFilters {
  readonly #filters: ReadonlyMap<string, readonly RowFilter[]>;
  readonly #found = new Map<string, Set<string>>();

  constructor(filters: readonly RowFilter[]) {
    const byColumn = new Map<string, RowFilter[]>();
    for (const filter of filters) {
      byColumn.set(filter.column, [...(byColumn.get(filter.column) ?? []), filter]);
    }
    this.#filters = byColumn;
  }

  get isEmpty(): boolean {
    return this.#filters.size === 0;
  }

  /** Whether a column, or one that leads into it or joins it, decides. */
  asks(column: string): boolean {
    for (const name of this.#filters.keys()) {
      const parts = [name, ...partsOf(name)];
      if (parts.some((part) => part === column || part.split(".")[0] === column)) return true;
    }
    return false;
  }

  /** Writes the places of rows that fit, and returns how many do. */
  fitting(
    count: number,
    cellsOf: (column: string) => Cells | undefined,
    places: Int32Array,
  ): number {
    const columns = [...this.#filters.keys()].flatMap((name) =>
      [name, ...partsOf(name)].flatMap((part) => [part, part.split(".")[0] ?? part]),
    );
    const found = [...new Set(columns)].flatMap((column) => {
      const cells = cellsOf(column);
      return cells === undefined ? [] : [[column, cells] as const];
    });
    let taken = 0;
    for (let row = 0; row < count; row++) {
      if (!this.#fits(rowValues(found, row))) continue;
      places[taken] = row;
      taken += 1;
    }
    return taken;
  }

  #fits(values: Readonly<Record<string, unknown>>): boolean {
    let fits = true;
    for (const [column, filters] of this.#filters) {
      const cell = cellAt(values, column);
      const text = nameText(cell?.value);
      if (cell !== undefined) {
        const found = this.#found.get(column) ?? new Set();
        this.#found.set(column, found);
        if (found.size <= mostNamed) found.add(text);
      }
      const [without, wanted] = [true, false].map((isNot) =>
        filters.filter((filter) => filter.isNot === isNot).some(({ value }) => isSame(value, text)),
      );
      const isWanted = wanted === true || filters.every(({ isNot }) => isNot);
      if (without === true || !isWanted) fits = false;
    }
    return fits;
  }

  /** @throws InputError where a column was in no row, or, since no row fits, naming the values that are there. */
  check(name: string, { rows }: { readonly rows: number }): void {
    for (const [column, filters] of this.#filters) {
      const found = this.#found.get(column);
      if (found === undefined) {
        throw new InputError(
          `Expected the column ${column} for --where in ${name} but no row has it`,
        );
      }
      if (rows > 0) continue;
      const asked = filters.map(({ value, isNot }) => `${column}${isNot ? "!=" : "="}${value}`);
      const named = [...found]
        .slice(0, mostNamed)
        .map((value) => (value === "" ? "nothing" : value));
      throw new InputError(
        `Expected rows for --where ${asked.join(" and ")} in ${name} but none fits`,
        { hint: `${column} has ${named.join(", ")}${found.size > mostNamed ? " and more" : ""}` },
      );
    }
  }
}

function isSame(value: string, text: string): boolean {
  if (value === text) return true;
  const number = decimalNumber(value);
  return number !== undefined && number === decimalNumber(text);
}

/**
 * Reads what was given for --where, each `COLUMN=VALUE` or `COLUMN!=VALUE`.
 *
 * @throws InputError for another form.
 */
export const parseWhere = (texts: readonly string[]): RowFilter[] =>
  texts.map((text) => {
    const [, column, isNot, value] = /^([^=!]+)(!?)=(.*)$/.exec(text) ?? [];
    if (column === undefined || value === undefined) {
      throw new InputError(`Expected COLUMN=VALUE for --where but received "${text}"`, {
        hint: "Such as --where split=test, or --where 'split!=train'",
      });
    }
    return { column: column.trim(), value: value.trim(), isNot: isNot === "!" };
  });
