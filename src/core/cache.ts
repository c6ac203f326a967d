/** Makes a value when it is first asked for and keeps it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Keeps the most recent results, by name, also while they are in work. A failure is not kept.
 */
export class Recent<Value> {
  readonly #kept = new Map<string, Promise<Value>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value kept under the name; where there is none, that of `make`. */
  get(name: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#kept.get(name) ?? make();
    // The one used last goes to the end; the first is the one that was not used for longest.
    this.#kept.delete(name);
    this.#kept.set(name, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    value.catch(() => {
      if (this.#kept.get(name) === value) this.#kept.delete(name);
    });
    return value;
  }
}

/**
 * Keeps the most recent results of `make`, by key: images about one text then share its embedding, also
 * while several are in work at once. A failure is not kept.
 */
export function keepRecent<Input, Value>(
  keyOf: (input: Input) => string,
  make: (input: Input) => Promise<Value>,
  most = 16,
): (input: Input) => Promise<Value> {
  const kept = new Recent<Value>(most);
  return (input) => kept.get(keyOf(input), () => make(input));
}

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
