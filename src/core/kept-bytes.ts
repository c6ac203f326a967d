/** Keeps what was used last, by name, as far as so many bytes reach. */
export class KeptBytes<Value> {
  readonly #kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): Value | undefined {
    const found = this.#kept.get(name);
    if (found === undefined) return undefined;
    // The one used last goes to the end; the first is the one that was not used for longest.
    this.#kept.delete(name);
    this.#kept.set(name, found);
    return found.value;
  }

  set(name: string, value: Value, bytes: number): void {
    this.#forget(name);
    this.#kept.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }
}
