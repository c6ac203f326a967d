import { labelProducts } from "touchstone-t2i/internal/ensembles/paired-products.js";

/**
 * `ensemblePrediction` for pairs that every prompt answered and one grouping, with one set of weights after the
 * other: a grid asks for tens of thousands.
 *
 * @returns a function of weights, groups x prompts. It writes P(label is 1) of each row to `into`.
 */
export function answeredPrediction({
  probabilities,
  prompts,
  membership,
  groups,
}: {
  /** rows x prompts, without NaN. */
  readonly probabilities: Float64Array;
  readonly prompts: number;
  /** rows x groups. */
  readonly membership: Float64Array;
  readonly groups: number;
}): (weights: Float64Array, into: Float64Array) => void {
  const labels = membership.length / groups;
  const products = labelProducts({ labels, groups, prompts, membership, values: probabilities });
  return (weights, into) => {
    products.valueOfLabels(weights, into);
    for (let row = 0; row < labels; row++) into[row] = Math.min(1, into[row] ?? 0);
  };
}
