/**
 * Takes records one by one, by name. Those of a finished step come in the order of its plan; of an unfinished one in
 * the order in which they were answered: what comes early is kept.
 */
export class RecordsInOrder<One> {
  readonly #records: AsyncIterator<One>;
  readonly #nameOf: (record: One) => string;
  readonly #early = new Map<string, One>();

  constructor(records: AsyncIterable<One>, nameOf: (record: One) => string) {
    this.#records = records[Symbol.asyncIterator]();
    this.#nameOf = nameOf;
  }

  async take(name: string): Promise<One | undefined> {
    const early = this.#early.get(name);
    if (early !== undefined) {
      this.#early.delete(name);
      return early;
    }
    for (;;) {
      const { done, value } = await this.#records.next();
      if (done === true) return undefined;
      const found = this.#nameOf(value);
      if (found === name) return value;
      this.#early.set(found, value);
    }
  }

  async close(): Promise<void> {
    await this.#records.return?.();
  }
}
