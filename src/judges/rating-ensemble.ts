import { ensemblePrediction } from "../ensembles/ensemble-prediction.js";
import { type LabelLikelihoods, labelLikelihoods } from "../ensembles/label-likelihoods.js";
import { type RatingDistribution, ratingDistribution } from "./rating-distribution.js";

/** What each prompt said of an image: the probability of each rating, or null for no answer. */
export type RatingAnswers = readonly (readonly number[] | null)[];

/**
 * What weights of prompts for ratings are fitted to: P(the rating that was given) by each prompt. It is
 * what `promptWeights` takes, as for pairs: the objectives know a label only by its likelihood.
 *
 * @param labels the ratings that people gave, from 1 up, one for each image
 * @param answers of each image, those of all prompts in one order
 */
export function ratingLikelihoods({
  labels,
  answers,
  prompts,
}: {
  readonly labels: readonly number[];
  readonly answers: readonly RatingAnswers[];
  readonly prompts: number;
}): LabelLikelihoods {
  const probabilities = new Float64Array(labels.length * prompts).fill(Number.NaN);
  for (const [row, label] of labels.entries()) {
    for (let prompt = 0; prompt < prompts; prompt++) {
      const given = answers[row]?.[prompt];
      if (given) probabilities[row * prompts + prompt] = given[label - 1] ?? Number.NaN;
    }
  }
  return labelLikelihoods({ labels: labels.map(() => 1), probabilities, prompts });
}

/**
 * The rating that weighted prompts give together: each rating's probability is mixed as P(a is
 * better) is of pairs, p(k | x) = sum_z p(z | x) sum_a w_za p_a(k | x).
 *
 * @param membership p(z | x) at [row * groups + z]
 * @param weights w_za at [z * prompts + a]
 * @returns of each image; null where no prompt that has weight answered
 */
export function ratingEnsemble({
  answers,
  prompts,
  scale,
  membership,
  groups,
  weights,
}: {
  readonly answers: readonly RatingAnswers[];
  readonly prompts: number;
  /** How many ratings there are. */
  readonly scale: number;
  readonly membership: Float64Array;
  readonly groups: number;
  readonly weights: Float64Array;
}): (RatingDistribution | null)[] {
  const byRating = Array.from({ length: scale }, (_, rating) => {
    const probabilities = Float64Array.from({ length: answers.length * prompts }, (_, at) => {
      const given = answers[Math.floor(at / prompts)]?.[at % prompts];
      return given ? (given[rating] ?? Number.NaN) : Number.NaN;
    });
    return ensemblePrediction({ probabilities, prompts, membership, groups, weights });
  });
  return answers.map((_, row) => {
    const mixed = byRating.map((column) => column[row] ?? Number.NaN);
    return mixed.some(Number.isNaN) ? null : ratingDistribution(mixed);
  });
}
