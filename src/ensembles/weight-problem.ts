import type { LabelLikelihoods } from "./label-likelihoods.js";

/** By what the weights of prompts are chosen, in the order in which they are tried. */
export const objectives = [
  "global-entropy",
  "balanced-entropy",
  "per-sample-entropy",
  "mixture",
] as const;

export type Objective = (typeof objectives)[number];

export type ClosedFormObjective = Exclude<Objective, "mixture">;

/** Labels, how likely each prompt held them, and the groups that each belongs to. */
export interface WeightProblem {
  readonly likelihoods: LabelLikelihoods;
  /** p(z | x_j) at [j * groups + z] for each of the likelihoods' labels; each label's sum is 1. */
  readonly membership: Float64Array;
  readonly groups: number;
  /** Which labels count, from 0 to labels - 1; default all. */
  readonly chosen?: Int32Array | undefined;
}
