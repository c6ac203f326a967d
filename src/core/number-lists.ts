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
  #start = new Int32Array(1024);
  #values = new Float64Array(1024);
  #rows = 0;
  #end = 0;

  /** Adds a number to the list that is being made. */
  push(value: number): void {
    if (this.#end === this.#values.length) {
      const more = new Float64Array(2 * this.#end);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#end] = value;
    this.#end += 1;
  }

  /** Ends the list of a row. */
  end(): void {
    this.#rows += 1;
    if (this.#rows === this.#start.length) {
      const more = new Int32Array(2 * this.#rows);
      more.set(this.#start);
      this.#start = more;
    }
    this.#start[this.#rows] = this.#end;
  }

  lists(): NumberLists {
    return {
      start: this.#start.subarray(0, this.#rows + 1),
      values: this.#values.subarray(0, this.#end),
    };
  }
}
