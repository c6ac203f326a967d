import type { AskedSoFar } from "./fewer-calls.js";
import type { AskingRule } from "./fewer-calls-replay.js";

/** A scale from 1 up, and when a rating on it counts as wrong. */
export interface RatingScale {
  /** How many ratings there are. */
  readonly ratings: number;
  /** A rating is wrong where it is further than this from people's; 0: wherever it is another. */
  readonly within: number;
}

/** The rating that is said, and how likely that is right. */
export interface RatingDecision {
  readonly rating: number;
  /** The probability of all ratings that it would not be wrong beside, in [0, 1]. */
  readonly confidence: number;
}

/**
 * The most probable rating, of equals the lowest, and how likely people's is no further from it than
 * allowed.
 *
 * @param shares P of each rating, from 1 up.
 * @example decideRating([0.1, 0.6, 0.3], { ratings: 3, within: 0 }) // { rating: 2, confidence: 0.6 }
 */
export function decideRating(
  shares: ArrayLike<number>,
  { ratings, within }: RatingScale,
): RatingDecision {
  let best = 0;
  for (let at = 1; at < ratings; at++) if ((shares[at] ?? 0) > (shares[best] ?? 0)) best = at;
  return { rating: best + 1, confidence: Math.min(1, around(shares, best, within)) };
}

/** Probability on a rating and its neighbours. */
function around(shares: ArrayLike<number>, place: number, within: number): number {
  let sum = 0;
  for (let at = Math.max(0, place - within); at <= place + within; at++) sum += shares[at] ?? 0;
  return sum;
}

/** Weighted answers so far, and how much weight has answered and is left. */
interface Tally {
  /** The sum of v_a P_a(k) for each rating. */
  readonly sums: Float64Array;
  readonly answered: number;
  readonly left: number;
}

function tallyOf({ weights, answers, asked }: AskedSoFar, ratings: number): Tally {
  const sums = new Float64Array(ratings);
  let answered = 0;
  let left = 0;
  for (let prompt = 0; prompt < weights.length; prompt++) {
    const weight = weights[prompt] ?? 0;
    if (asked[prompt] !== 1) left += weight;
    else if (!Number.isNaN(answers[prompt * ratings] ?? Number.NaN)) {
      answered += weight;
      for (let at = 0; at < ratings; at++) {
        sums[at] = (sums[at] ?? 0) + weight * (answers[prompt * ratings + at] ?? 0);
      }
    }
  }
  return { sums, answered, left };
}

/**
 * Whether no further answer can change what is done: one rating stays the most probable and sure enough
 * however what is left is spread, or none that could become the most probable could be sure enough.
 * Within 1e-12 of a border nothing is settled before all are asked: sums are rounded.
 */
function isSettled({ sums, answered, left }: Tally, threshold: number, scale: RatingScale) {
  const all = answered + left;
  if (left === 0 || all === 0) return true;
  const slack = 1e-12 * all;
  const { rating } = decideRating(sums, scale);
  const most = sums[rating - 1] ?? 0;
  const mayLead = Array.from(sums.keys()).filter((at) => (sums[at] ?? 0) + left >= most - slack);
  const needed = threshold * all;
  if (mayLead.every((at) => around(sums, at, scale.within) + left < needed - slack)) return true;
  return mayLead.length === 1 && around(sums, rating - 1, scale.within) >= needed + slack;
}

/** Whether some answers of so much weight could settle it: all for one rating, or spread evenly. */
function mightSettle(tally: Tally, weight: number, threshold: number, scale: RatingScale): boolean {
  const after = (add: (at: number) => number) => ({
    sums: tally.sums.map((sum, at) => sum + add(at)),
    answered: tally.answered + weight,
    left: tally.left - weight,
  });
  const settles = (add: (at: number) => number) => isSettled(after(add), threshold, scale);
  return (
    Array.from(tally.sums.keys()).some((one) => settles((at) => (at === one ? weight : 0))) ||
    settles(() => weight / scale.ratings)
  );
}

/**
 * Asks for ratings until what is done can't change: by falling weight, as many prompts at a time as
 * could settle it. An answer of a prompt is as many numbers as there are ratings.
 *
 * @param options.threshold on the confidence of `decideRating`.
 */
export function ratingRule({
  threshold,
  ...scale
}: RatingScale & { readonly threshold: number }): AskingRule {
  const { ratings } = scale;
  return {
    next(state) {
      const tally = tallyOf(state, ratings);
      if (isSettled(tally, threshold, scale)) return [];
      const { weights, asked } = state;
      const order = Array.from(weights.keys())
        .filter((at) => asked[at] !== 1 && (weights[at] ?? 0) > 0)
        .sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
      const next: number[] = [];
      let weight = 0;
      for (const prompt of order) {
        next.push(prompt);
        weight += weights[prompt] ?? 0;
        if (mightSettle(tally, weight, threshold, scale)) break;
      }
      return next;
    },
    conclude(state) {
      const { sums, answered } = tallyOf(state, ratings);
      if (answered === 0) {
        return { verdict: null, shares: new Float64Array(ratings).fill(Number.NaN) };
      }
      const shares = sums.map((sum) => Math.min(1, sum / answered));
      const { rating, confidence } = decideRating(shares, scale);
      return { verdict: confidence >= threshold ? rating : null, shares };
    },
  };
}
