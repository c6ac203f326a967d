/**
 * Works on the items in order, at most `concurrency` at a time, and takes an item only when one is
 * free for it. After a failure, or once `signal` is aborted, no further item is taken; those in
 * hand are waited for.
 *
 * @throws the first failure, of the work or of the items, when the others in hand have ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  options: {
    readonly concurrency: number;
    readonly signal: AbortSignal;
    readonly work: (item: Item) => Promise<void>;
  },
): Promise<void> {
  const { concurrency, signal, work } = options;
  const waiting = (async function* () {
    yield* items;
  })();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (failure === undefined && !signal.aborted) {
      try {
        const { done, value } = await waiting.next();
        if (done || failure !== undefined || signal.aborted) return;
        await work(value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure !== undefined) throw failure.error;
}
