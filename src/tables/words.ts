const mostWords = 10_000;

/**
 * Makes equal texts one: a table says the same names in a million rows, and each time its parser
 * makes a new text. Remembers the newest ten thousand or so.
 */
export class Words {
  readonly #words = new Map<string, string>();

  /** The text that was met first among the equal ones; any other value as it is. */
  one<Value>(value: Value): Value | string {
    if (typeof value !== "string") return value;
    const known = this.#words.get(value);
    if (known !== undefined) return known;
    if (this.#words.size >= mostWords) this.#words.clear();
    this.#words.set(value, value);
    return value;
  }
}
