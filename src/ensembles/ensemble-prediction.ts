/** Prompts' answers on images, and the weights that make one answer of them. */
export interface EnsembleInput {
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
