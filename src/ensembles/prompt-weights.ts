import { type ClosedFormSums, closedFormSums, weightsFromSums } from "./closed-form-weights.js";
import { mixtureWeights } from "./mixture-weights.js";
import type { Objective, WeightProblem } from "./weight-problem.js";

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
