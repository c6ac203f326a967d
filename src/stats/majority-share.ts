import { largestOf } from "../core/arrays.js";

/**
 * How large a part of an item's ratings is of its most frequent category, as the mean over the items
 * with two ratings or more. It is not corrected for chance.
 *
 * @param items the categories that each item was given, any number for each category.
 * @param times how often each item counts; default once.
 * @returns in (0, 1]; NaN where no item has two ratings.
 * @example majorityShare([[1, 1, 2], [3, 3, 3]]) // 0.8333333333333333
 */
export const majorityShare = (
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number => majorityOf(items)(times);

/** Returns what computes `majorityShare` of the same items. */
export function majorityOf(
  items: readonly (readonly number[])[],
): (times?: ArrayLike<number>) => number {
  const most = items.map((ratings) => largestOf(countsOf(ratings).values()));
  return (times) => {
    let sum = 0;
    let n = 0;
    for (let index = 0; index < items.length; index++) {
      const raters = items[index]?.length ?? 0;
      if (raters < 2) continue;
      const weight = times === undefined ? 1 : (times[index] ?? 0);
      n += weight;
      sum += (weight * (most[index] ?? 0)) / raters;
    }
    return sum / n;
  };
}

/** How often an item was given each category, in the order in which they first occur. */
export function countsOf(ratings: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return counts;
}
