/**
 * Works on the items in order, at most `concurrency` at a time, and takes an item only when one is
 * free for it. After a failure, or once `signal` is aborted, no further item is taken; those in
 * hand are waited for.
 *
 * @param items one by one; or in batches, of which the next is made ready while one is worked on
 * @throws the first failure, of the work or of the items, when the others in hand have ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<readonly Item[]>,
  options: {
    readonly concurrency: number;
    readonly signal: AbortSignal;
    readonly work: (item: Item) => Promise<void>;
  },
): Promise<void> {
  const { concurrency, signal, work } = options;
  const single = Symbol.iterator in items ? items[Symbol.iterator]() : undefined;
  const take: Take<Item> =
    single === undefined ? ofBatches(items as AsyncIterable<readonly Item[]>) : () => single.next();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (failure === undefined && !signal.aborted) {
      try {
        const taken = take();
        const next = taken instanceof Promise ? await taken : taken;
        if (next.done || failure !== undefined || signal.aborted) return;
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure !== undefined) throw failure.error;
}

/** Takes the next item; what is there is not waited for. */
type Take<Item> = () => IteratorResult<Item, void> | Promise<IteratorResult<Item, void>>;

function ofBatches<Item>(source: AsyncIterable<readonly Item[]>): Take<Item> {
  const batches = source[Symbol.asyncIterator]();
  const begin = () => {
    const batch = batches.next();
    // Whoever takes from it hears of the failure; until then it must not end the process.
    batch.catch(() => {});
    return batch;
  };
  let ready = begin();
  let items: Iterator<Item, void> | undefined;
  let changing: Promise<void> | undefined;
  const change = async () => {
    const { done, value } = await ready;
    items = done ? undefined : value[Symbol.iterator]();
    changing = undefined;
    if (!done) ready = begin();
  };
  return function take(): ReturnType<Take<Item>> {
    const next = items?.next();
    if (next !== undefined && !next.done) return next;
    changing ??= change();
    return changing.then(() => (items === undefined ? { done: true, value: undefined } : take()));
  };
}

/**
 * How many tasks to have in hand for a model that answers so many calls at once: half as many more.
 * While one task reads its image or writes its record the next one's call takes its place, so that
 * the model is never left waiting for a disk; the model itself holds the calls to its limit.
 *
 * @example tasksInHand(64) // 96
 */
export const tasksInHand = (callsAtOnce: number): number => Math.ceil(1.5 * callsAtOnce);
