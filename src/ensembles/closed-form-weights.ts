import { chosenRows, sumOverLabels } from "./label-products.js";
import { softmaxInPlace } from "./softmax.js";
import type { ClosedFormObjective, WeightProblem } from "./weight-problem.js";

/** Sums over labels that closed forms need, whatever objective and lambda. */
export interface ClosedFormSums {
  /** S_za at [z * prompts + a]: log-likelihoods, each as much as its label belongs to the group. */
  readonly sums: Float64Array;
  /** How many labels belong to each group. */
  readonly support: Float64Array;
  /** Labels that were summed. */
  readonly labels: number;
  /** 1 for a prompt that answered none of them. */
  readonly silent: Uint8Array;
}

export interface ClosedFormOptions {
  readonly objective: ClosedFormObjective;
  readonly lambda: number;
}

/** Sums that a whole grid of objectives and lambdas is fitted from, by `weightsFromSums`. */
export function closedFormSums({
  likelihoods,
  membership,
  groups,
  chosen,
}: WeightProblem): ClosedFormSums {
  const { prompts, silent } = likelihoods;
  const labels = chosen === undefined ? likelihoods.labels : chosen.length;
  const members = chosenRows(membership, groups, chosen);
  const sums = new Float64Array(groups * prompts);
  const values = chosenRows(likelihoods.logLikelihood, prompts, chosen);
  sumOverLabels({ labels, groups, prompts, membership: members, values }, sums);
  const support = new Float64Array(groups);
  for (let label = 0; label < labels; label++) {
    for (let group = 0; group < groups; group++) {
      support[group] = (support[group] ?? 0) + (members[label * groups + group] ?? 0);
    }
  }
  return { sums, support, labels, silent };
}

/**
 * Writes the weights of an objective that has a closed form, w_z = softmax(S_z / lambda_z); see
 * `promptWeights`. Nothing is allocated.
 *
 * @param weights where they go: groups x prompts.
 * @returns the objective's value, sum_z lambda_z log sum_a exp(S_za / lambda_z).
 */
export function weightsFromSums(
  { sums, support, labels, silent }: ClosedFormSums,
  { objective, lambda }: ClosedFormOptions,
  weights: Float64Array,
): number {
  const prompts = silent.length;
  let value = 0;
  for (let group = 0; group < support.length; group++) {
    const start = group * prompts;
    const entropyWeight = lambda * entropyShare(objective, support[group] ?? 0, labels);
    // A group without support has S = 0: uniform, whatever its lambda.
    const scale = entropyWeight > 0 ? 1 / entropyWeight : 0;
    for (let prompt = 0; prompt < prompts; prompt++) {
      const at = start + prompt;
      weights[at] = silent[prompt] === 1 ? -Infinity : (sums[at] ?? 0) * scale;
    }
    value += entropyWeight * softmaxInPlace(weights, start, prompts);
  }
  return value;
}

function entropyShare(objective: ClosedFormObjective, support: number, labels: number): number {
  if (objective === "global-entropy") return 1;
  return objective === "per-sample-entropy" || labels === 0 ? support : support / labels;
}
