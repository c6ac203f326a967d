/** Work that waits for its turn: at most so many at once, what was asked for last first. */
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
      // Who scrolls on wants what is seen now: the last comes first.
      const next = this.#waiting.pop();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}
