/** A column of numbers by image that grows as they come; NaN where there is none. */
export class NumberColumn {
  #values = new Float64Array(1024).fill(Number.NaN);

  get(at: number): number {
    return this.#values[at] ?? Number.NaN;
  }

  set(at: number, value: number): void {
    if (at >= this.#values.length) {
      const longer = new Float64Array(2 ** Math.ceil(Math.log2(at + 1))).fill(Number.NaN);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[at] = value;
  }
}
