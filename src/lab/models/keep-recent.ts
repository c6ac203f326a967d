/**
 * Keeps the most recent results of `make`, by key: questions about one image then share its
 * features, and images about one text its embedding, also while several are in work at once. A
 * failure is not kept.
 */
export function keepRecent<Input, Value>(
  keyOf: (input: Input) => string,
  make: (input: Input) => Promise<Value>,
  most = 16,
): (input: Input) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (input) => {
    const key = keyOf(input);
    const value = kept.get(key) ?? make(input);
    // The one used last goes to the end; the first is the one that was not used for longest.
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    value.catch(() => {
      if (kept.get(key) === value) kept.delete(key);
    });
    return value;
  };
}
