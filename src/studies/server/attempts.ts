/** Counts failures by who failed, so that nobody can try invitations by the thousand. */
export class Attempts {
  readonly #most: number;
  readonly #windowMilliseconds: number;
  readonly #failures = new Map<string, number[]>();

  /** @param options.most failures that are let through within `windowMilliseconds` */
  constructor({ most, windowMilliseconds }: { most: number; windowMilliseconds: number }) {
    this.#most = most;
    this.#windowMilliseconds = windowMilliseconds;
  }

  isBlocked(who: string, now: number): boolean {
    return this.#recent(who, now).length >= this.#most;
  }

  fail(who: string, now: number): void {
    this.#failures.set(who, [...this.#recent(who, now), now]);
    // Addresses that no longer fail are forgotten, so the map stays small.
    for (const other of this.#failures.keys()) {
      if (this.#failures.size <= 10_000) return;
      if (this.#recent(other, now).length === 0) this.#failures.delete(other);
    }
  }

  #recent(who: string, now: number): number[] {
    const failures = this.#failures.get(who) ?? [];
    return failures.filter((at) => now - at < this.#windowMilliseconds);
  }
}
