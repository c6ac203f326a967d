/**
 * Computes `ensemblePrediction` for pairs that every prompt answered. It allocates nothing and takes two
 * rows and five prompts at once, since a grid calls it tens of thousands of times.
 *
 * @param into receives P(label is 1) of each row.
 */
export function predictAnswered(
  {
    probabilities,
    prompts,
    membership,
    groups,
    weights,
  }: {
    /** rows x prompts, without NaN. */
    readonly probabilities: Float64Array;
    readonly prompts: number;
    /** rows x groups. */
    readonly membership: Float64Array;
    readonly groups: number;
    /** groups x prompts. */
    readonly weights: Float64Array;
  },
  into: Float64Array,
): void {
  const rows = into.length;
  const inFives = prompts - (prompts % 5);
  for (let row = 0; row < rows; row += 2) {
    // With an odd number of rows the last is computed twice.
    const other = row + 1 < rows ? row + 1 : row;
    const rowMembers = row * groups;
    const otherMembers = other * groups;
    const rowAnswers = row * prompts;
    const otherAnswers = other * prompts;
    let sum = 0;
    let otherSum = 0;
    for (let prompt = 0; prompt < inFives; prompt += 5) {
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      let a3 = 0;
      let a4 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      let b4 = 0;
      let at = prompt;
      for (let group = 0; group < groups; group++) {
        const a = membership[rowMembers + group] ?? 0;
        const b = membership[otherMembers + group] ?? 0;
        const w0 = weights[at] ?? 0;
        const w1 = weights[at + 1] ?? 0;
        const w2 = weights[at + 2] ?? 0;
        const w3 = weights[at + 3] ?? 0;
        const w4 = weights[at + 4] ?? 0;
        a0 += a * w0;
        a1 += a * w1;
        a2 += a * w2;
        a3 += a * w3;
        a4 += a * w4;
        b0 += b * w0;
        b1 += b * w1;
        b2 += b * w2;
        b3 += b * w3;
        b4 += b * w4;
        at += prompts;
      }
      const p = rowAnswers + prompt;
      const q = otherAnswers + prompt;
      sum += a0 * (probabilities[p] ?? 0) + a1 * (probabilities[p + 1] ?? 0);
      sum += a2 * (probabilities[p + 2] ?? 0) + a3 * (probabilities[p + 3] ?? 0);
      sum += a4 * (probabilities[p + 4] ?? 0);
      otherSum += b0 * (probabilities[q] ?? 0) + b1 * (probabilities[q + 1] ?? 0);
      otherSum += b2 * (probabilities[q + 2] ?? 0) + b3 * (probabilities[q + 3] ?? 0);
      otherSum += b4 * (probabilities[q + 4] ?? 0);
    }
    for (let prompt = inFives; prompt < prompts; prompt++) {
      let a = 0;
      let b = 0;
      for (let group = 0; group < groups; group++) {
        const weight = weights[group * prompts + prompt] ?? 0;
        a += (membership[rowMembers + group] ?? 0) * weight;
        b += (membership[otherMembers + group] ?? 0) * weight;
      }
      sum += a * (probabilities[rowAnswers + prompt] ?? 0);
      otherSum += b * (probabilities[otherAnswers + prompt] ?? 0);
    }
    // Rounding can exceed 1.
    into[row] = Math.min(1, sum);
    into[other] = Math.min(1, otherSum);
  }
}
