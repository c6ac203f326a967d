/** Runs work under one name after the other, whatever else goes on under other names. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all that was given under this name before has ended. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
