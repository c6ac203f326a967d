import { type CalibrationConclusion, calibration } from "../analysis/calibration/calibration.js";
import {
  type RatingCalibrationConclusion,
  ratingCalibration,
} from "../analysis/calibration/rating-calibration.js";
import { decideRating, type RatingScale, ratingRule } from "../ensembles/fewer-calls-ratings.js";
import {
  type Approximation,
  type AskingRule,
  twoAnswersRule,
} from "../ensembles/fewer-calls-replay.js";

/** A judge's answer to an item, and how likely it is right; NaN where no prompt answered. */
export interface Decision {
  readonly says: number;
  readonly confidence: number;
}

/** The least of what is told of a judge's calibration, whatever it answers. */
export type MeasuredCalibration = Pick<CalibrationConclusion, "n" | "bins"> & {
  readonly intervalsOf:
    | Pick<CalibrationConclusion["intervalsOf"], "accuracy" | "ece" | "nll" | "brier">
    | RatingCalibrationConclusion["intervalsOf"];
};

/**
 * Kind of answers and how they are decided: one of two, or a rating. An answer of a prompt, and of
 * all together, is `width` numbers.
 */
export interface AnswerKind {
  /** 1: P(label is 1), that is P(a is better) or P(yes). Else P of each rating. */
  readonly width: number;
  /** The threshold that accepts everything. */
  readonly leastConfidence: number;
  /** P(what people say) by an answer. */
  likelihood(shares: Float64Array, label: number): number;
  decide(shares: Float64Array): Decision;
  /** Whether what is said counts as an error. */
  isWrong(says: number, label: number): boolean;
  /** When asking stops. */
  rule(threshold: number, approximate?: Approximation): AskingRule;
  /** Whether the judge's answers on labels can be believed; rows that nobody answered are left out. */
  measure(
    rows: readonly { readonly label: number; readonly shares: Float64Array }[],
    options: { readonly seed: number },
  ): MeasuredCalibration;
}

/** Which of two images is better, or yes or no: the label is 1 (a, yes) or 0. */
export const twoAnswers: AnswerKind = {
  width: 1,
  leastConfidence: 0.5,
  likelihood: ([p = Number.NaN], label) => (label === 1 ? p : 1 - p),
  decide: ([p = Number.NaN]) => ({ says: p >= 0.5 ? 1 : 0, confidence: Math.max(p, 1 - p) }),
  isWrong: (says, label) => says !== label,
  rule: (threshold, approximate) => twoAnswersRule({ threshold, approximate }),
  measure: (rows, options) =>
    calibration(
      rows.map(({ label, shares: [p = Number.NaN] }, at) => ({
        id: String(at),
        label,
        probability: Number.isNaN(p) ? null : p,
      })),
      options,
    ),
};

/** A rating on a scale from 1 up, which is wrong where it is further than `within` from people's. */
export const ratingAnswers = (scale: RatingScale): AnswerKind => ({
  width: scale.ratings,
  leastConfidence: 0,
  likelihood: (shares, label) => shares[label - 1] ?? Number.NaN,
  decide(shares) {
    if (shares.some(Number.isNaN)) return { says: Number.NaN, confidence: Number.NaN };
    const { rating, confidence } = decideRating(shares, scale);
    return { says: rating, confidence };
  },
  isWrong: (says, label) => Math.abs(says - label) > scale.within,
  rule: (threshold) => ratingRule({ ...scale, threshold }),
  measure: (rows, options) =>
    ratingCalibration(
      rows.flatMap(({ label, shares }) =>
        shares.some(Number.isNaN)
          ? []
          : [{ label, probabilities: shares, interval: ratingDistribution([...shares]).interval }],
      ),
      { ...options, within: scale.within },
    ),
});

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
