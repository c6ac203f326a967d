import { square } from "./elementary/square.js";
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
