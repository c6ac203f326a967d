/** Appends any number of items to a list: `list.push(...items)` ends a command at about 125,000. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
