/**
 * Works on up to `atATime` items at once and gives the results in the order of the items.
 *
 * @example for await (const page of inOrder(addresses, 4, (address) => read(address))) …
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  for (const item of items) {
    const result = work(item);
    // Its failure is thrown when its turn comes; unheard until then it would end the process.
    result.catch(() => {});
    begun.push(result);
    const first = begun.length < atATime ? undefined : begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of begun) yield await result;
}
