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
