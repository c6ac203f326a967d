/** How far one rater's numbers lie from another's of the same items. */
export interface RatingErrors {
  /** Share of items that both rated the same, 0 to 1. */
  readonly exact: number;
  /** Share of items whose ratings differ by at most 1. */
  readonly withinOne: number;
  /** Mean of |other - one|, in the unit of the ratings. */
  readonly meanAbsoluteError: number;
  /** Mean of other - one: above 0 where `other` rates higher. */
  readonly bias: number;
}

/**
 * @param one ratings of some items; `other` those of the same items, in the same order.
 * @returns NaN in all where there is no item.
 * @example ratingErrors([1, 2, 5], [1, 3, 3]).withinOne // 0.666…
 */
export function ratingErrors(one: ArrayLike<number>, other: ArrayLike<number>): RatingErrors {
  let exact = 0;
  let near = 0;
  let far = 0;
  let sum = 0;
  for (let item = 0; item < one.length; item++) {
    const difference = (other[item] ?? 0) - (one[item] ?? 0);
    const size = Math.abs(difference);
    if (size === 0) exact += 1;
    // 0.3 and 1.3 differ by 1 as they are written.
    if (size <= 1 + 1e-9) near += 1;
    far += size;
    sum += difference;
  }
  const n = one.length;
  return { exact: exact / n, withinOne: near / n, meanAbsoluteError: far / n, bias: sum / n };
}
