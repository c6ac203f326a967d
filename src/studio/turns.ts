/** Work that waits for its turn: at most so many at once, what was asked for first first. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws the signal's reason where it was aborted before the turn came. */
  async take<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#working >= this.#most) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#working++;
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      // A browser asks for few at once and takes back what it no longer wants. The last first would let the
      // first wait for as long as somebody scrolls.
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}
