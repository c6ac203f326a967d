/**
 * How large a part of an item's ratings is of its most frequent category, as the mean over the items
 * with two ratings or more. It is not corrected for chance.
 *
 * @param items the categories that each item was given, any number for each category.
 * @param times how often each item counts; default once.
 * @returns in (0, 1]; NaN where no item has two ratings.
 * @example majorityShare([[1, 1, 2], [3, 3, 3]]) // 0.8333333333333333
 */
export function majorityShare(
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number {
  let sum = 0;
  let n = 0;
  items.forEach((ratings, index) => {
    if (ratings.length < 2) return;
    const weight = times === undefined ? 1 : (times[index] ?? 0);
    const counts = new Map<number, number>();
    let most = 0;
    for (const rating of ratings) {
      const count = (counts.get(rating) ?? 0) + 1;
      counts.set(rating, count);
      if (count > most) most = count;
    }
    n += weight;
    sum += (weight * most) / ratings.length;
  });
  return sum / n;
}
