/**
 * Works on up to `atATime` items at once and gives the results in the order of the items. After a
 * failure, or where no more results are taken, those in hand are waited for: what they were asked
 * for may be paid for already.
 *
 * @example for await (const page of inOrder(addresses, 4, (address) => read(address))) …
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = work(item);
      // Its failure is thrown when its turn comes; unheard until then it would end the process.
      result.catch(() => {});
      begun.push(result);
      const first = begun.length < atATime ? undefined : begun.shift();
      if (first !== undefined) yield await first;
    }
    for (let first = begun.shift(); first !== undefined; first = begun.shift()) yield await first;
  } finally {
    await Promise.allSettled(begun);
  }
}
