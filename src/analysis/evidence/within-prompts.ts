import { type ClusteredRatio, clusteredRatio } from "./clustered-ratio.js";
import { type Comparisons, credit } from "./comparisons.js";

const noPair = "people prefer neither image of any pair that is scored";

/**
 * Share of pairs of one prompt that a metric puts in people's order, where people have one; a metric's tie
 * is half. Pairs that it did not score are left out.
 *
 * @returns a share with Student's t interval over prompts, and how many pairs it is of.
 */
export function accuracyWithin(
  { cluster, clusters, people }: Comparisons,
  scores: Float64Array,
): ClusteredRatio & { readonly pairs: number } {
  const above = new Float64Array(clusters);
  const below = new Float64Array(clusters);
  let pairs = 0;
  for (const [at, score] of scores.entries()) {
    const right = credit(score, people[at] ?? Number.NaN);
    if (Number.isNaN(right)) continue;
    const one = cluster[at] ?? 0;
    above[one] = (above[one] ?? 0) + right;
    below[one] = (below[one] ?? 0) + 1;
    pairs += 1;
  }
  return { ...clusteredRatio({ above, below }, { within: [0, 1], whenEmpty: noPair }), pairs };
}

/**
 * What one rater reaches against the mean of the others, averaged over raters, and how far from chance (0.5)
 * to there a metric comes on the same pairs against the same raters.
 *
 * @param scores of the metric; undefined for the ceiling alone.
 */
export function againstOthers(
  { cluster, clusters, raters, others }: Comparisons,
  scores?: Float64Array,
): { readonly ceiling: ClusteredRatio; readonly share: ClusteredRatio } {
  const count = new Float64Array(clusters);
  const byRater = new Float64Array(clusters);
  const byMetric = new Float64Array(clusters);
  for (const [rater, answers] of raters.entries()) {
    for (const [at, answer] of answers.entries()) {
      const other = others[rater]?.[at] ?? Number.NaN;
      const ofRater = credit(answer, other);
      const ofMetric = scores === undefined ? 0.5 : credit(scores[at] ?? Number.NaN, other);
      if (Number.isNaN(ofRater) || Number.isNaN(ofMetric)) continue;
      const one = cluster[at] ?? 0;
      count[one] = (count[one] ?? 0) + 1;
      byRater[one] = (byRater[one] ?? 0) + ofRater;
      byMetric[one] = (byMetric[one] ?? 0) + ofMetric;
    }
  }
  const overChance = (sums: Float64Array) => sums.map((sum, at) => sum - (count[at] ?? 0) / 2);
  const whenEmpty = "fewer than two raters answered the same pairs";
  return {
    ceiling: clusteredRatio({ above: byRater, below: count }, { within: [0, 1], whenEmpty }),
    share: clusteredRatio(
      { above: overChance(byMetric), below: overChance(byRater), takes: count },
      { whenEmpty },
    ),
  };
}

/** Covariances of shares whose pairs lie in the same clusters. */
export function covariances(ratios: readonly ClusteredRatio[]): number[][] {
  return ratios.map((one) =>
    ratios.map((other) => {
      const clusters = Math.max(one.clusters, other.clusters);
      if (clusters < 2) return 0;
      let sum = 0;
      for (const [at, moved] of one.influence.entries()) sum += moved * (other.influence[at] ?? 0);
      return (clusters / (clusters - 1)) * sum;
    }),
  );
}

/** Accuracy with ties as answers, and the difference up to which scores tie that maximises it. */
export interface TiesWithin {
  readonly value: number | null;
  /** In the metric's own units. */
  readonly epsilon: number | null;
}

/**
 * Share of pairs of one prompt that a metric answers as people do, where a tie is an answer, too: scores no
 * more than epsilon apart tie, with the epsilon that agrees most. Optimistic: epsilon is chosen on these
 * pairs. Deutsch, Foster and Freitag, "Ties Matter" (2023).
 */
export function tiesWithin({ people }: Comparisons, scores: Float64Array): TiesWithin {
  const pairs = [...scores.entries()].flatMap(([at, score]) => {
    const human = people[at] ?? Number.NaN;
    return Number.isNaN(score) || Number.isNaN(human)
      ? []
      : [{ apart: Math.abs(score), isRight: Math.sign(human) === Math.sign(score), human }];
  });
  if (pairs.length === 0) return { value: null, epsilon: null };
  pairs.sort((one, other) => one.apart - other.apart);
  // With ties only where scores are equal.
  let right = pairs.filter(({ isRight }) => isRight).length;
  let best = { right, epsilon: 0 };
  for (const [at, { apart, isRight, human }] of pairs.entries()) {
    if (apart > 0) right += Number(human === 0) - Number(isRight);
    const isLast = pairs[at + 1]?.apart !== apart;
    if (isLast && right > best.right) best = { right, epsilon: apart };
  }
  return { value: best.right / pairs.length, epsilon: best.epsilon };
}
