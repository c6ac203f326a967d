/**
 * Works on the items in order, at most `concurrency` at a time. After a failure, or once `signal`
 * is aborted, no further item is taken; those in hand are waited for.
 *
 * @throws the first failure, when the others in hand have ended.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  options: {
    readonly concurrency: number;
    readonly signal: AbortSignal;
    readonly work: (item: Item) => Promise<void>;
  },
): Promise<void> {
  const { concurrency, signal, work } = options;
  const waiting = items.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (failure === undefined && !signal.aborted) {
      const { done, value } = waiting.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
}
