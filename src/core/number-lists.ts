import { GrowingNumbers } from "./growing-numbers.js";

/** Lists of numbers by row: row r has those from `start[r]` up to `start[r + 1]`, NaN where nobody gave one. */
export interface NumberLists {
  readonly start: Int32Array;
  readonly values: Float64Array;
}

export const isLists = (column: unknown): column is NumberLists =>
  typeof column === "object" && column !== null && "start" in column && "values" in column;

/** The list of a row. */
export const listAt = ({ start, values }: NumberLists, row: number): Float64Array =>
  values.subarray(start[row] ?? 0, start[row + 1] ?? 0);

export const listLength = ({ start }: NumberLists, row: number): number =>
  row < 0 ? 0 : (start[row + 1] ?? 0) - (start[row] ?? 0);

/** The lists of some rows. */
export function numberLists(rows: Iterable<readonly (number | null)[]>): NumberLists {
  const lists = new ListBuilder();
  for (const row of rows) {
    for (const value of row) lists.push(value ?? Number.NaN);
    lists.end();
  }
  return lists.lists();
}

/** Makes lists, one after the other. */
export class ListBuilder {
  readonly #start = new GrowingNumbers(Int32Array);
  readonly #values = new GrowingNumbers(Float64Array);

  constructor() {
    this.#start.push(0);
  }

  /** Adds a number to the list that is being made. */
  push(value: number): void {
    this.#values.push(value);
  }

  /** Ends the list of a row. */
  end(): void {
    this.#start.push(this.#values.length);
  }

  lists(): NumberLists {
    return { start: this.#start.values(), values: this.#values.values() };
  }
}
