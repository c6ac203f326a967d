/**
 * Keeps the last result of `make`, by key: questions about one image then share its features, and
 * images about one text its embedding. A failure is not kept.
 */
export function keepLast<Input, Value>(
  keyOf: (input: Input) => string,
  make: (input: Input) => Promise<Value>,
): (input: Input) => Promise<Value> {
  let last: { readonly key: string; readonly value: Promise<Value> } | undefined;
  return (input) => {
    const key = keyOf(input);
    if (last?.key === key) return last.value;
    const kept = { key, value: make(input) };
    last = kept;
    kept.value.catch(() => {
      if (last === kept) last = undefined;
    });
    return kept.value;
  };
}
