import type { LabelLikelihoods } from "./label-likelihoods.js";
import { type PromptWeights, promptWeights } from "./prompt-weights.js";
import type { Objective } from "./weight-problem.js";

/** All labels in one group: what Bayesian Prompt Ensembles know of images. */
export function oneGroup(likelihoods: LabelLikelihoods) {
  return { likelihoods, membership: new Float64Array(likelihoods.labels).fill(1), groups: 1 };
}

/**
 * Weights of the average ensemble: all prompts alike.
 *
 * @example averageWeights(4) // [0.25, 0.25, 0.25, 0.25]
 */
export function averageWeights(prompts: number): Float64Array {
  return new Float64Array(prompts).fill(1 / prompts);
}

/**
 * The prompt that labels speak for most: the highest accuracy (the likelier answer is right; at
 * exactly 0.5, where 1 is said, half right on average), of equal ones the lowest negative
 * log-likelihood, of those the first. Without labels the first.
 */
export function bestPrompt({
  labels,
  prompts,
  likelihood,
  logLikelihood,
  silent,
}: LabelLikelihoods): number {
  let best = 0;
  let bestRight = -1;
  let bestFit = -Infinity;
  for (let prompt = 0; prompt < prompts; prompt++) {
    if (silent[prompt] === 1) continue;
    let right = 0;
    let fit = 0;
    for (let label = 0; label < labels; label++) {
      const likely = likelihood[label * prompts + prompt] ?? 0;
      right += likely > 0.5 ? 1 : likely === 0.5 ? 0.5 : 0;
      fit += logLikelihood[label * prompts + prompt] ?? 0;
    }
    if (right > bestRight || (right === bestRight && fit > bestFit)) {
      best = prompt;
      bestRight = right;
      bestFit = fit;
    }
  }
  return best;
}

/**
 * Bayesian Prompt Ensembles: one group. Under the objective of the method beside it, it tells what
 * the groups bring; under `global-entropy` with lambda 1 it is equation 5 as printed.
 */
export function bayesianPromptEnsemble(
  likelihoods: LabelLikelihoods,
  options: { readonly objective: Objective; readonly lambda?: number },
): PromptWeights {
  return promptWeights(oneGroup(likelihoods), options);
}
