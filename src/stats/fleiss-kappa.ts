import { square } from "./elementary/powers.js";

/**
 * How far several raters agree beyond chance on categories without an order:
 * kappa = (P - Pe) / (1 - Pe), where P is the mean over items of the share of pairs of ratings that
 * agree, Pe the sum of the squared shares of the categories. Who gave which rating plays no part.
 * Fleiss, "Measuring Nominal Scale Agreement among Many Raters" (1971).
 *
 * @param items the categories that each item was given, any number for each category.
 * @param times how often each item counts; default once.
 * @returns at most 1, 0 where raters agree as chance would; NaN where items differ in their number
 *   of ratings, have fewer than two, or all ratings are of one category.
 * @example fleissKappa([[0, 0, 0], [1, 1, 0]]) // 0.25
 */
export function fleissKappa(
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number {
  const raters = items[0]?.length ?? 0;
  if (raters < 2 || items.some((ratings) => ratings.length !== raters)) return Number.NaN;
  const totals = new Map<number, number>();
  let agreeing = 0;
  let n = 0;
  items.forEach((ratings, index) => {
    const weight = times === undefined ? 1 : (times[index] ?? 0);
    n += weight;
    for (const rating of ratings) totals.set(rating, (totals.get(rating) ?? 0) + weight);
    // Ordered pairs of ratings of one category, without those of a rating with itself.
    let pairs = -raters;
    for (const one of ratings) for (const other of ratings) pairs += one === other ? 1 : 0;
    agreeing += weight * pairs;
  });
  if (n === 0) return Number.NaN;
  const observed = agreeing / (n * raters * (raters - 1));
  let expected = 0;
  for (const total of totals.values()) expected += square(total / (n * raters));
  return expected === 1 ? Number.NaN : (observed - expected) / (1 - expected);
}

/**
 * Fleiss' kappa where items differ in their number of ratings: kappa = (P - Pe) / (1 - Pe), where P is
 * the mean over the items with two ratings or more of the share of pairs of ratings that agree, and Pe
 * the sum of the squared shares of the categories, each the mean over all items of its share of the
 * item's ratings. With as many ratings of each item it is Fleiss' own. Gwet, "Handbook of Inter-Rater
 * Reliability", 4th edition (2014), section 2.
 *
 * @param items the categories that each item was given, any number for each category; items without a
 *   rating are passed over.
 * @param times how often each item counts; default once.
 * @returns at most 1, 0 where raters agree as chance would; NaN where no item has two ratings or all
 *   ratings are of one category.
 * @example generalisedFleissKappa([[0, 0, 0], [1, 1], [1, 0]]) // 0.3333…
 */
export function generalisedFleissKappa(
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number {
  const shares = new Map<number, number>();
  let rated = 0;
  let paired = 0;
  let agreeing = 0;
  items.forEach((ratings, index) => {
    const raters = ratings.length;
    const weight = times === undefined ? 1 : (times[index] ?? 0);
    if (raters === 0 || weight === 0) return;
    rated += weight;
    const counts = new Map<number, number>();
    for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
    let pairs = 0;
    for (const [category, count] of counts) {
      shares.set(category, (shares.get(category) ?? 0) + (weight * count) / raters);
      pairs += count * (count - 1);
    }
    if (raters < 2) return;
    paired += weight;
    agreeing += (weight * pairs) / (raters * (raters - 1));
  });
  if (paired === 0 || shares.size < 2) return Number.NaN;
  let expected = 0;
  for (const share of shares.values()) expected += square(share / rated);
  return (agreeing / paired - expected) / (1 - expected);
}
