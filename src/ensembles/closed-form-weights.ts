import type { ClosedFormObjective, WeightProblem } from "./prompt-weights.js";
import { softmaxInPlace } from "./softmax.js";

/**
 * Writes the weights of an objective that has a closed form, w_z = softmax(S_z / lambda_z); see
 * `promptWeights`. Nothing is allocated.
 *
 * @param weights where they go: groups x prompts.
 * @returns the objective's value, sum_z lambda_z log sum_a exp(S_za / lambda_z).
 */
export function closedFormWeights(
  { likelihoods, membership, groups, chosen }: WeightProblem,
  { objective, lambda }: { readonly objective: ClosedFormObjective; readonly lambda: number },
  weights: Float64Array,
): number {
  const { prompts, logLikelihood, silent } = likelihoods;
  const count = chosen === undefined ? likelihoods.labels : chosen.length;
  let value = 0;
  for (let group = 0; group < groups; group++) {
    const start = group * prompts;
    for (let prompt = 0; prompt < prompts; prompt++) weights[start + prompt] = 0;
    let support = 0;
    for (let at = 0; at < count; at++) {
      const label = chosen === undefined ? at : (chosen[at] ?? 0);
      const belongs = membership[label * groups + group] ?? 0;
      support += belongs;
      const from = label * prompts;
      for (let prompt = 0; prompt < prompts; prompt++) {
        weights[start + prompt] =
          (weights[start + prompt] ?? 0) + belongs * (logLikelihood[from + prompt] ?? 0);
      }
    }
    const entropyWeight = lambda * entropyShare(objective, support, count);
    // A group without support has S = 0: uniform, whatever its lambda.
    const scale = entropyWeight > 0 ? 1 / entropyWeight : 0;
    for (let prompt = 0; prompt < prompts; prompt++) {
      const at = start + prompt;
      weights[at] = silent[prompt] === 1 ? -Infinity : (weights[at] ?? 0) * scale;
    }
    value += entropyWeight * softmaxInPlace(weights, start, prompts);
  }
  return value;
}

function entropyShare(objective: ClosedFormObjective, support: number, labels: number): number {
  if (objective === "global-entropy") return 1;
  return objective === "per-sample-entropy" || labels === 0 ? support : support / labels;
}
