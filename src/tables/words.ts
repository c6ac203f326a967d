const mostWords = 10_000;

/**
 * Makes equal texts of a column one: a table says the same names in a million rows, and each time its
 * parser makes a new text. Remembers the newest ten thousand or so.
 */
export class Words {
  readonly #words = new Map<string, string>();

  /** The text before; most rows say what the row before them says. */
  #before: string | undefined;

  /** The text that was met first among the equal ones; any other value as it is. */
  one<Value>(value: Value): Value | string {
    if (typeof value !== "string") return value;
    if (value === this.#before) return this.#before;
    const known = this.#words.get(value);
    const word = known ?? copyOf(value);
    this.#before = word;
    if (known !== undefined) return known;
    if (this.#words.size >= mostWords) this.#words.clear();
    this.#words.set(word, word);
    return word;
  }
}

/**
 * A copy: V8 keeps a longer part of a text as a place within the whole, and so the whole in memory, which
 * of a table are all its rows.
 */
export const copyOf = (text: string): string =>
  text.length < 13 ? text : JSON.parse(JSON.stringify(text));
