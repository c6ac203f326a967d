import { square } from "./elementary/powers.js";
export const ratingScales = ["nominal", "ordinal", "interval"] as const;

/** Level of measurement: whether ratings differ, which is more, or by how much. */
export type RatingScale = (typeof ratingScales)[number];

/**
 * How far ratings of the same items agree beyond chance, for any number of raters, ratings missing or
 * not: alpha = 1 - observed / expected disagreement, where a pair of ratings disagrees by 1 if they
 * differ (nominal), by the squared difference of their mid-ranks among all ratings (ordinal) or of
 * their values (interval). An item with m ratings counts by its ratings: its pairs share the weight
 * m. Items with one rating are left out. Krippendorff, "Computing Krippendorff's Alpha-Reliability"
 * (2011).
 *
 * @param items the ratings of each item: numbers that are equal, in order, or at distances as the
 *   scale says.
 * @param times how often each item counts; default once.
 * @returns at most 1, 0 where ratings agree as chance would; NaN where no item has two ratings and
 *   where all ratings are the same.
 * @example krippendorffAlpha([[1, 1], [2, 2], [3, 4]], { scale: "nominal" }) // 0.6153846153846154
 */
export function krippendorffAlpha(
  items: readonly (readonly number[])[],
  { scale, times }: { readonly scale: RatingScale; readonly times?: ArrayLike<number> },
): number {
  const weightOf = (index: number) => (times === undefined ? 1 : (times[index] ?? 0));
  const counts = new Map<number, number>();
  let n = 0;
  items.forEach((ratings, index) => {
    if (ratings.length < 2) return;
    const weight = weightOf(index);
    n += weight * ratings.length;
    for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + weight);
  });
  const disagreementOf = scale === "nominal" ? differingPairs : squaredDistances;
  const place = scale === "ordinal" ? midRanks(counts) : new Map<number, number>();
  const placed = ([rating, weight]: readonly [number, number]) =>
    [place.get(rating) ?? rating, weight] as const;

  let observed = 0;
  items.forEach((ratings, index) => {
    if (ratings.length < 2) return;
    const within = ratings.map((rating) => placed([rating, 1]));
    observed += (weightOf(index) * disagreementOf(within)) / (ratings.length - 1);
  });
  const expected = disagreementOf([...counts].map(placed));
  return expected === 0 || n === 0 ? Number.NaN : 1 - ((n - 1) * observed) / expected;
}

type Weighted = readonly (readonly [value: number, weight: number])[];

/** The weight of all ordered pairs that differ. */
function differingPairs(ratings: Weighted): number {
  const weights = new Map<number, number>();
  let all = 0;
  for (const [value, weight] of ratings) {
    all += weight;
    weights.set(value, (weights.get(value) ?? 0) + weight);
  }
  let same = 0;
  for (const weight of weights.values()) same += weight * weight;
  return all * all - same;
}

/** The sum over all ordered pairs of their squared distance: 2 W times the squares about the mean. */
function squaredDistances(ratings: Weighted): number {
  let all = 0;
  let sum = 0;
  for (const [value, weight] of ratings) {
    all += weight;
    sum += weight * value;
  }
  if (all === 0) return 0;
  // The mean of equal values may be a hair off: they are no disagreement.
  const [first] = ratings.find(([, weight]) => weight > 0) ?? [0];
  if (ratings.every(([value, weight]) => weight === 0 || value === first)) return 0;
  let squares = 0;
  for (const [value, weight] of ratings) squares += weight * square(value - sum / all);
  return 2 * all * squares;
}

/** Ranks of all values; ties share their mean rank. */
function midRanks(counts: ReadonlyMap<number, number>): Map<number, number> {
  const ranks = new Map<number, number>();
  let below = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    ranks.set(value, below + count / 2);
    below += count;
  }
  return ranks;
}
