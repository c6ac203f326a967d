/**
 * What `make` makes of each item, in their order, so many at a time.
 *
 * @param options.onDone told after each lot, with how many are done
 * @throws the first failure of a lot; the lots after it are not begun.
 */
export async function someAtATime<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
  { atATime, onDone }: { readonly atATime: number; readonly onDone?: (done: number) => void },
): Promise<Made[]> {
  const made: Made[] = [];
  for (let start = 0; start < items.length; start += atATime) {
    const some = items.slice(start, start + atATime);
    for (const one of await Promise.all(some.map(make))) made.push(one);
    onDone?.(start + some.length);
  }
  return made;
}
