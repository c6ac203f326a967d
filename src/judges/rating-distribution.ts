/** How probable each rating is, and what follows from that. */
export interface RatingDistribution {
  /** Probabilities of the ratings from 1 up; they sum to 1. */
  readonly probabilities: readonly number[];
  /** The expected rating, sum of k P(k). */
  readonly expected: number;
  /**
   * The ratings between which 95 % and more of the probability lies: the smallest that at least 2.5 %
   * do not exceed, and the smallest that at least 97.5 % do not exceed.
   */
  readonly interval: readonly [low: number, high: number];
}

/**
 * @param probabilities of the ratings 1, 2, …
 * @example ratingDistribution([0, 0.5, 0.5]) // { expected: 2.5, interval: [2, 3], … }
 */
export function ratingDistribution(probabilities: readonly number[]): RatingDistribution {
  const expected = probabilities.reduce((sum, share, at) => sum + share * (at + 1), 0);
  const quantile = (level: number): number => {
    let sum = 0;
    const at = probabilities.findIndex((share) => {
      sum += share;
      // Sums of probabilities come with rounding.
      return sum >= level - 1e-12;
    });
    return at < 0 ? probabilities.length : at + 1;
  };
  return { probabilities, expected, interval: [quantile(0.025), quantile(0.975)] };
}
