/** Numbers names from 0, in the order in which they first occur. */
export class Names {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Rows of one name often stand together: the one before saves a look. */
  #before: string | undefined;
  #last = -1;

  /** All names, by number. */
  get all(): readonly string[] {
    return this.#names;
  }

  /** The number of a name, a new one where it is new. */
  numberOf(name: string): number {
    if (name === this.#before) return this.#last;
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.length;
      this.#names.push(name);
      this.#numbers.set(name, number);
    }
    this.#before = name;
    this.#last = number;
    return number;
  }

  /** The number of a name that was met. */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}
