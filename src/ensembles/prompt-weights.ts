import type { LabelLikelihoods } from "./label-likelihoods.js";
import { chosenRows } from "./label-products.js";
import { mixtureWeights } from "./mixture-weights.js";
import { labelProducts } from "./paired-products.js";
import { softmaxInPlace } from "./softmax.js";
import type { ClosedFormObjective, Objective, WeightProblem } from "./weight-problem.js";

/** Weights of prompts, one simplex for each group. */
export interface PromptWeights {
  /** At [z * prompts + a]; those of a group add up to 1. */
  readonly weights: Float64Array;
  readonly groups: number;
  readonly prompts: number;
  readonly objective: Objective;
  readonly lambda: number;
  /** Value of the objective at these weights. */
  readonly objectiveValue: number;
  /** How far at most the best value lies above: 0 for closed forms. */
  readonly dualityGap: number;
}

/**
 * Weights of prompts by group that fit labels best, entropy held for a good in itself. With r_jz the
 * membership, p_ja the likelihood of label j under prompt a, l its logarithm, S_za = sum_j r_jz
 * l_ja, n_z = sum_j r_jz and M labels, the first three maximise sum_z [sum_a w_za S_za + lambda_z
 * H(w_z)], by w_z = softmax(S_z / lambda_z):
 * - `per-sample-entropy`, lambda_z = lambda n_z: Slyman et al., "Calibrating MLLM-as-a-judge via
 *   Multimodal Bayesian Prompt Ensembles" (2025), equations 9 and 11. The mean of log-likelihoods
 *   decides, so that more labels do not sharpen it.
 * - `global-entropy`, lambda_z = lambda: its equation 5, of one group Tonolini et al., "Bayesian
 *   Prompt Ensembles" (2024). The best prompt with many labels, near uniform in a group with few.
 * - `balanced-entropy`, lambda_z = lambda n_z / M: ours. All labels sharpen every group.
 * - `mixture`: sum_j log sum_z r_jz sum_a w_za p_ja + lambda sum_z H(w_z), the marginal likelihood.
 * Without labels they are uniform, by definition; so they are in a group that no label belongs to.
 * A prompt that answered none of the labels has weight 0.
 *
 * @param problem its sums are kept for further values of lambda, so its arrays must not be written to afterwards.
 * @param options.lambda positive; 1 is as printed.
 */
export function promptWeights(
  problem: WeightProblem,
  { objective, lambda = 1 }: { readonly objective: Objective; readonly lambda?: number },
): PromptWeights {
  const { likelihoods, groups } = problem;
  const { prompts } = likelihoods;
  if (!(lambda > 0 && Number.isFinite(lambda))) {
    throw new RangeError(`Expected a positive number for lambda but received ${lambda}`);
  }
  if (problem.membership.length !== likelihoods.labels * groups) {
    throw new RangeError(
      `Expected ${likelihoods.labels} x ${groups} memberships but received ${problem.membership.length}`,
    );
  }
  const weights = new Float64Array(groups * prompts);
  const shared = { weights, groups, prompts, objective, lambda };
  if (objective === "mixture") {
    const { value, gap } = mixtureWeights(problem, { lambda }, weights);
    return { ...shared, objectiveValue: value, dualityGap: gap };
  }
  const sums = sumsOf.get(problem) ?? closedFormSums(problem);
  sumsOf.set(problem, sums);
  const objectiveValue = weightsFromSums(sums, { objective, lambda }, weights);
  return { ...shared, objectiveValue, dualityGap: 0 };
}

const sumsOf = new WeakMap<WeightProblem, ClosedFormSums>();

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

interface ClosedFormOptions {
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
  const tables = { labels, groups, prompts, membership: members, values };
  labelProducts(tables).sumOverLabels(undefined, sums);
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

/** Prompts' answers on images, and the weights that make one answer of them. */
interface EnsembleInput {
  /** P(label is 1) at [row * prompts + a], NaN for no answer. */
  readonly probabilities: Float64Array;
  readonly prompts: number;
  /** p(z | x) at [row * groups + z]. */
  readonly membership: Float64Array;
  readonly groups: number;
  /** w_za at [z * prompts + a]. */
  readonly weights: Float64Array;
}

/**
 * P(label is 1) of the ensemble: p(x) = sum_a v_a(x) p_a(x), v_a(x) = sum_z p(z | x) w_za. Where
 * prompts gave no answer, the weights v of those that did are made to add up to 1.
 *
 * @param into where they go; default a new array.
 * @returns one for each row; NaN where no prompt that has weight answered.
 * @example
 * ensemblePrediction({
 *   probabilities: Float64Array.of(0.9, 0.5),
 *   prompts: 2,
 *   membership: Float64Array.of(1),
 *   groups: 1,
 *   weights: Float64Array.of(0.75, 0.25),
 * }) // [0.8]
 */
export function ensemblePrediction(
  { probabilities, prompts, membership, groups, weights }: EnsembleInput,
  into = new Float64Array(probabilities.length / prompts),
): Float64Array {
  const line = new Float64Array(prompts);
  for (let row = 0; row < into.length; row++) {
    line.fill(0);
    for (let group = 0; group < groups; group++) {
      const share = membership[row * groups + group] ?? 0;
      const start = group * prompts;
      for (let prompt = 0; prompt < prompts; prompt++) {
        line[prompt] = (line[prompt] ?? 0) + share * (weights[start + prompt] ?? 0);
      }
    }
    let sum = 0;
    let answered = 0;
    for (let prompt = 0; prompt < prompts; prompt++) {
      const probability = probabilities[row * prompts + prompt] ?? Number.NaN;
      if (Number.isNaN(probability)) continue;
      sum += (line[prompt] ?? 0) * probability;
      answered += line[prompt] ?? 0;
    }
    into[row] = answered > 0 ? Math.min(1, sum / answered) : Number.NaN;
  }
  return into;
}
