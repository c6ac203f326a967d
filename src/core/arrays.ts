/** Appends any number of items to a list: `list.push(...items)` ends a command at about 125,000. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/**
 * Groups items by a key, as `Map.groupBy` does, which Node 20 lacks. Keys stand in the order in which they
 * first occur, items within a group in theirs. Items without a key are in no group.
 */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key | undefined,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * The largest of any number of values: `Math.max(...values)` ends a command at about 125,000.
 *
 * @returns -Infinity where there is none, NaN where one is NaN.
 * @example largestOf([0.2, 0.7]) // 0.7
 */
export function largestOf(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/**
 * The smallest of any number of values.
 *
 * @returns Infinity where there is none, NaN where one is NaN.
 */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
