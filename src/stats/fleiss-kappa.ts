import { largestOf } from "../core/arrays.js";
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
export const fleissKappa = (
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number => fleissOf(items)(times);

/** Returns what computes `fleissKappa` of the same items. */
export function fleissOf(
  items: readonly (readonly number[])[],
): (times?: ArrayLike<number>) => number {
  const raters = items[0]?.length ?? 0;
  if (raters < 2 || items.some((ratings) => ratings.length !== raters)) return () => Number.NaN;
  const { counted, categories } = countedItems(items);
  return (times) => {
    const totals = new Float64Array(categories);
    let agreeing = 0;
    let n = 0;
    for (let index = 0; index < counted.length; index++) {
      const { codes, counts, pairs } = counted[index] ?? noItem;
      const weight = times === undefined ? 1 : (times[index] ?? 0);
      n += weight;
      agreeing += weight * pairs;
      for (let at = 0; at < codes.length; at++) {
        const code = codes[at] ?? 0;
        totals[code] = (totals[code] ?? 0) + weight * (counts[at] ?? 0);
      }
    }
    if (n === 0) return Number.NaN;
    const observed = agreeing / (n * raters * (raters - 1));
    let expected = 0;
    for (const total of totals) expected += square(total / (n * raters));
    return expected === 1 ? Number.NaN : (observed - expected) / (1 - expected);
  };
}

interface CountedItem {
  /** Its categories, numbered in the order in which any item first has them. */
  readonly codes: Int32Array;
  /** How often it was given each. */
  readonly counts: Float64Array;
  /** Ordered pairs of its ratings of one category. */
  readonly pairs: number;
  readonly raters: number;
}

const noItem: CountedItem = {
  codes: new Int32Array(),
  counts: new Float64Array(),
  pairs: 0,
  raters: 0,
};

function countedItems(items: readonly (readonly number[])[]) {
  const numbers = new Map<number, number>();
  const counted = items.map((ratings): CountedItem => {
    const its = [...countsOf(ratings)];
    for (const [category] of its) if (!numbers.has(category)) numbers.set(category, numbers.size);
    return {
      codes: Int32Array.from(its, ([category]) => numbers.get(category) ?? 0),
      counts: Float64Array.from(its, ([, count]) => count),
      pairs: its.reduce((sum, [, count]) => sum + count * (count - 1), 0),
      raters: ratings.length,
    };
  });
  return { counted, categories: numbers.size };
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
export const generalisedFleissKappa = (
  items: readonly (readonly number[])[],
  times?: ArrayLike<number>,
): number => generalisedFleissOf(items)(times);

/** Returns what computes `generalisedFleissKappa` of the same items. */
export function generalisedFleissOf(
  items: readonly (readonly number[])[],
): (times?: ArrayLike<number>) => number {
  const { counted, categories } = countedItems(items);
  return (times) => {
    const shares = new Float64Array(categories);
    // Categories in the order in which items that were drawn first have them: that of their sum.
    const used: number[] = [];
    let rated = 0;
    let paired = 0;
    let agreeing = 0;
    for (let index = 0; index < counted.length; index++) {
      const { codes, counts, pairs, raters } = counted[index] ?? noItem;
      const weight = times === undefined ? 1 : (times[index] ?? 0);
      if (raters === 0 || weight === 0) continue;
      rated += weight;
      for (let at = 0; at < codes.length; at++) {
        const code = codes[at] ?? 0;
        const before = shares[code] ?? 0;
        if (before === 0) used.push(code);
        shares[code] = before + (weight * (counts[at] ?? 0)) / raters;
      }
      if (raters < 2) continue;
      paired += weight;
      agreeing += (weight * pairs) / (raters * (raters - 1));
    }
    if (paired === 0 || used.length < 2) return Number.NaN;
    let expected = 0;
    for (const code of used) expected += square((shares[code] ?? 0) / rated);
    return (agreeing / paired - expected) / (1 - expected);
  };
}

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
function countsOf(ratings: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return counts;
}
