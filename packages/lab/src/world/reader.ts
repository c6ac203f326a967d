/** A sentence that lies outside the lab's English; the message names the word it stopped at. */
export class NotInLabEnglish extends Error {
  override readonly name = "NotInLabEnglish";
}

/** Reads a text phrase by phrase; the longest phrase that fits wins. */
export class Reader {
  private rest: string;
  private readonly sentence: string;

  constructor(text: string, sentence: string) {
    this.rest = text;
    this.sentence = sentence;
  }

  atEnd(): boolean {
    return this.rest === "";
  }

  /** Reads on with `read` where it finds what it wants, else stays where it is. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const before = this.rest;
    const found = read();
    if (found === undefined) this.rest = before;
    return found;
  }

  /** Whether `phrase` comes next, which is then read. */
  word(phrase: string): boolean {
    if (this.rest !== phrase && !this.rest.startsWith(`${phrase} `)) return false;
    this.rest = this.rest.slice(phrase.length + 1);
    return true;
  }

  expect(phrase: string): void {
    if (!this.word(phrase)) this.fail(`"${phrase}"`);
  }

  maybeOneOf<T>(phrases: ReadonlyMap<string, T>): T | undefined {
    const words = this.rest.split(" ");
    for (let length = Math.min(words.length, 5); length > 0; length--) {
      const phrase = words.slice(0, length).join(" ");
      const meaning = phrases.get(phrase);
      if (meaning !== undefined) {
        this.word(phrase);
        return meaning;
      }
    }
    return undefined;
  }

  oneOf<T>(phrases: ReadonlyMap<string, T>, expected: string): T {
    return this.maybeOneOf(phrases) ?? this.fail(expected);
  }

  fail(expected: string): never {
    const found = this.atEnd() ? "the end" : `"${this.rest.split(" ").slice(0, 3).join(" ")}"`;
    throw new NotInLabEnglish(`Expected ${expected} but found ${found} in "${this.sentence}"`);
  }
}
