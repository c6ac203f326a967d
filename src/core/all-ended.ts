import { NoAnswer } from "./unscored.js";

/**
 * What all of the work gave, as `Promise.all`, but after all of it has ended: what is under way when one
 * part fails may be paid for, and is kept by whoever keeps it.
 *
 * @throws the first failure that is no `NoAnswer`, since it ends more than this; else the first.
 * @example await allEnded([ask("Is it red?"), ask("Is it round?")])
 */
export async function allEnded<Made>(work: readonly Promise<Made>[]): Promise<Made[]> {
  const ended = await Promise.allSettled(work);
  const failures = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) {
    throw failures.find((failure) => !(failure instanceof NoAnswer)) ?? failures[0];
  }
  return ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

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
