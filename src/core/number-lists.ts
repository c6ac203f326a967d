/** Numbers in a typed array that grows as they come. */
export class GrowingNumbers<Values extends Int32Array | Float64Array> {
  readonly #make: new (
    length: number,
  ) => Values;
  #values: Values;
  #length = 0;

  /** @example new GrowingNumbers(Int32Array) */
  constructor(make: new (length: number) => Values) {
    this.#make = make;
    this.#values = new make(256);
  }

  get length(): number {
    return this.#length;
  }

  /** 0 where none was put. */
  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** What was put so far: a view, not a copy. */
  values(): Values {
    return this.#values.subarray(0, this.#length) as Values;
  }

  push(value: number): void {
    this.put(this.#length, value);
  }

  put(index: number, value: number): void {
    if (index >= this.#values.length) {
      const more = new this.#make(2 * Math.max(index, this.#values.length));
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[index] = value;
    this.#length = Math.max(this.#length, index + 1);
  }
}

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
