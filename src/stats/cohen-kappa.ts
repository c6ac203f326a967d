import { square } from "./elementary/powers.js";
export const kappaWeights = ["none", "linear", "quadratic"] as const;

/** Cost of a disagreement: 1, its distance in categories, or the square of that. */
export type KappaWeights = (typeof kappaWeights)[number];

/**
 * How far two raters agree beyond chance: kappa = 1 - observed / expected cost of disagreement,
 * where the expected cost is that of raters who keep their own shares of the categories and rate
 * independently. Cohen, "A Coefficient of Agreement for Nominal Scales" (1960); weights: Cohen,
 * "Weighted Kappa" (1968).
 *
 * @param one the first rater's category of each item, as its position: 0, 1, 2, …
 * @param other the second rater's, of the same items.
 * @param times how often each pair of the two counts; once by default.
 * @returns at most 1, 0 where they agree as chance would; NaN without an item and where both put all
 *   in one category, so that chance leaves nothing to disagree on.
 * @throws RangeError where the two differ in length.
 * @example cohenKappa([0, 0, 1, 1], [0, 0, 1, 0]) // 0.5
 */
export function cohenKappa(
  one: ArrayLike<number>,
  other: ArrayLike<number>,
  weights: KappaWeights = "none",
  times?: ArrayLike<number>,
): number {
  if (one.length !== other.length) {
    throw new RangeError(`Expected ${one.length} ratings but received ${other.length}`);
  }
  const cost = costs[weights];
  let observed = 0;
  let pairs = 0;
  for (let index = 0; index < one.length; index++) {
    const count = times === undefined ? 1 : (times[index] ?? 0);
    observed += count * cost(one[index] ?? 0, other[index] ?? 0);
    pairs += count;
  }
  let expected = 0;
  const others = [...tally(other, times)];
  for (const [category, count] of tally(one, times)) {
    for (const [against, often] of others) expected += count * often * cost(category, against);
  }
  return expected === 0 ? Number.NaN : 1 - (observed * pairs) / expected;
}

const costs = {
  none: (a: number, b: number) => (a === b ? 0 : 1),
  linear: (a: number, b: number) => Math.abs(a - b),
  quadratic: (a: number, b: number) => square(a - b),
} as const satisfies Record<KappaWeights, (a: number, b: number) => number>;

function tally(
  categories: ArrayLike<number>,
  times: ArrayLike<number> | undefined,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (let index = 0; index < categories.length; index++) {
    const category = categories[index] ?? 0;
    const count = times === undefined ? 1 : (times[index] ?? 0);
    counts.set(category, (counts.get(category) ?? 0) + count);
  }
  return counts;
}
