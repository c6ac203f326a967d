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
export const krippendorffAlpha = (
  items: readonly (readonly number[])[],
  { scale, times }: { readonly scale: RatingScale; readonly times?: ArrayLike<number> },
): number => krippendorffOf(items, scale)(times);

/** Returns what computes `krippendorffAlpha` of the same items; called for each resample, it looks nothing up again. */
export function krippendorffOf(
  items: readonly (readonly number[])[],
  scale: RatingScale,
): (times?: ArrayLike<number>) => number {
  const place = new Map<number, number>();
  const rated = items.flatMap((ratings, index) => {
    if (ratings.length < 2) return [];
    for (const rating of ratings) if (!place.has(rating)) place.set(rating, place.size);
    const codes = Int32Array.from(ratings, (rating) => place.get(rating) ?? 0);
    return { index, codes, isOne: codes.every((code) => code === codes[0]) };
  });
  const values = [...place.keys()];
  const disagreementOf = scale === "nominal" ? differingPairs : squaredDistances;
  // Ranks follow from all ratings that were drawn; other disagreements are the items' own.
  const own =
    scale === "ordinal"
      ? undefined
      : rated.map(({ codes }) => disagreementOf(Array.from(codes, (at) => [values[at] ?? 0, 1])));
  return (times) => {
    const counts = new Float64Array(values.length);
    let n = 0;
    for (const { index, codes } of rated) {
      const weight = times === undefined ? 1 : (times[index] ?? 0);
      if (weight === 0) continue;
      n += weight * codes.length;
      for (const code of codes) counts[code] = (counts[code] ?? 0) + weight;
    }
    const placed = scale === "ordinal" ? midRanks(values, counts) : Float64Array.from(values);
    let observed = 0;
    for (let at = 0; at < rated.length; at++) {
      const item = rated[at];
      if (item === undefined || item.isOne) continue;
      const weight = times === undefined ? 1 : (times[item.index] ?? 0);
      if (weight === 0) continue;
      const disagreement = own?.[at] ?? squaresWithin(item.codes, placed);
      observed += (weight * disagreement) / (item.codes.length - 1);
    }
    const expected = disagreementOf(Array.from(counts, (count, at) => [placed[at] ?? 0, count]));
    return expected === 0 || n === 0 ? Number.NaN : 1 - ((n - 1) * observed) / expected;
  };
}

/** `squaredDistances` of ratings that count once and differ. */
function squaresWithin(codes: Int32Array, placed: Float64Array): number {
  let sum = 0;
  for (const code of codes) sum += placed[code] ?? 0;
  const mean = sum / codes.length;
  let squares = 0;
  for (const code of codes) squares += square((placed[code] ?? 0) - mean);
  return 2 * codes.length * squares;
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
function midRanks(values: readonly number[], counts: Float64Array): Float64Array {
  const ranks = new Float64Array(values.length);
  let below = 0;
  for (const at of [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))) {
    const count = counts[at] ?? 0;
    ranks[at] = below + count / 2;
    below += count;
  }
  return ranks;
}
