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
  const last = prompts - 1;
  let value = 0;
  for (let group = 0; group < groups; group++) {
    const start = group * prompts;
    let support = 0;
    // Five sums at a time stay out of memory; of what is left over at the end, the last is done again.
    for (let prompt = 0; prompt < prompts; prompt += 5) {
      const second = Math.min(prompt + 1, last);
      const third = Math.min(prompt + 2, last);
      const fourth = Math.min(prompt + 3, last);
      const fifth = Math.min(prompt + 4, last);
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let s4 = 0;
      support = 0;
      for (let at = 0; at < count; at++) {
        const label = chosen === undefined ? at : (chosen[at] ?? 0);
        const belongs = membership[label * groups + group] ?? 0;
        const from = label * prompts;
        support += belongs;
        s0 += belongs * (logLikelihood[from + prompt] ?? 0);
        s1 += belongs * (logLikelihood[from + second] ?? 0);
        s2 += belongs * (logLikelihood[from + third] ?? 0);
        s3 += belongs * (logLikelihood[from + fourth] ?? 0);
        s4 += belongs * (logLikelihood[from + fifth] ?? 0);
      }
      weights[start + prompt] = s0;
      weights[start + second] = s1;
      weights[start + third] = s2;
      weights[start + fourth] = s3;
      weights[start + fifth] = s4;
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
