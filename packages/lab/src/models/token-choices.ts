import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { TokenChoice } from "touchstone-t2i/internal/core/models.js";
import type { Random } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";

/** Possible tokens, with the logarithms of the shares that the logits' exponentials have. */
export function tokenChoices(tokens: readonly string[], logits: ArrayLike<number>): TokenChoice[] {
  const values = tokens.map((_, index) => {
    const value = logits[index];
    if (value === undefined) throw new NoAnswer("unparsable", "The model gave no logit");
    return value;
  });
  const most = largestOf(values);
  const sum = most + Math.log(values.reduce((total, value) => total + Math.exp(value - most), 0));
  return tokens.map((token, index) => ({
    token,
    // Rounding must not lift a certain answer above certainty.
    logProbability: Math.min(0, (values[index] ?? 0) - sum),
  }));
}

/** The likeliest at temperature 0 (the first of equals), else one drawn at that temperature. */
export function chosenToken(
  choices: readonly TokenChoice[],
  temperature: number,
  random: Random,
): TokenChoice {
  const [first, ...others] = choices;
  if (first === undefined) throw new NoAnswer("unparsable", "The model gave no logit");
  if (temperature === 0) {
    return others.reduce(
      (best, one) => (one.logProbability > best.logProbability ? one : best),
      first,
    );
  }
  const weights = choices.map(({ logProbability }) => Math.exp(logProbability / temperature));
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, choice] of choices.entries()) {
    left -= weights[index] ?? 0;
    if (left < 0) return choice;
  }
  return first;
}

/** From the likeliest down. */
export const byLikelihood = (choices: readonly TokenChoice[]): TokenChoice[] =>
  choices.toSorted((a, b) => b.logProbability - a.logProbability);
