/** How yes-or-no questions about the entities of an image were answered. */
export interface LocalizedCounts {
  /** Reflection questions answered yes: an attribute shows on its own entity. */
  readonly tp: number;
  /** Leakage questions answered yes: an attribute shows on an entity that it was not meant for. */
  readonly fp: number;
  /** Leakage questions answered no. */
  readonly tn: number;
  /** Reflection questions answered no. */
  readonly fn: number;
}

export const localizedScoreNames = ["precision", "recall", "f1"] as const;
export type LocalizedScore = (typeof localizedScoreNames)[number];

/**
 * Counts the answers of one image, or of several at once. An answer is yes where its probability is
 * at or above the threshold.
 *
 * @param options.reflection P(yes) of each question about an entity's own attributes.
 * @param options.leakage P(yes) of each question about another entity's attributes.
 * @example localizedCounts({ reflection: [0.9, 0.5, 0.2], leakage: [0.7, 0.1] })
 *   // { tp: 2, fp: 1, tn: 1, fn: 1 }
 */
export function localizedCounts({
  reflection,
  leakage,
  threshold = 0.5,
}: {
  readonly reflection: readonly number[];
  readonly leakage: readonly number[];
  readonly threshold?: number | undefined;
}): LocalizedCounts {
  const saidYes = (probabilities: readonly number[]) =>
    probabilities.filter((probability) => probability >= threshold).length;
  const tp = saidYes(reflection);
  const fp = saidYes(leakage);
  return { tp, fp, tn: leakage.length - fp, fn: reflection.length - tp };
}

/**
 * Numerator and denominator of each score. Precision falls where attributes leak, recall
 * where they are missing; F1 is their harmonic mean. van Rijsbergen, "Information Retrieval" (1979).
 */
export const localizedRatios: Readonly<
  Record<LocalizedScore, (counts: LocalizedCounts) => readonly [above: number, below: number]>
> = {
  precision: ({ tp, fp }) => [tp, tp + fp],
  recall: ({ tp, fn }) => [tp, tp + fn],
  f1: ({ tp, fp, fn }) => [2 * tp, 2 * tp + fp + fn],
};

/**
 * A score of these counts.
 *
 * @returns a number in [0, 1]; NaN where it is 0 / 0: precision where no question was answered yes,
 *   recall without a reflection question, F1 where there is none and nothing leaked.
 * @example localizedScore("f1", { tp: 2, fp: 1, tn: 1, fn: 1 }) // 0.666…
 */
export function localizedScore(name: LocalizedScore, counts: LocalizedCounts): number {
  const [above, below] = localizedRatios[name](counts);
  return above / below;
}
