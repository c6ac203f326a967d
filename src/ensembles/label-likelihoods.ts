import { log } from "../stats/elementary/logarithm.js";
/** Below it a likelihood is taken for it: one sure mistake must not outweigh all that is right. */
export const leastLikelihood = 1e-15;

/** How likely each prompt held what people said, in the form from which weights are fitted. */
export interface LabelLikelihoods {
  /** Labels that at least one prompt answered. */
  readonly labels: number;
  readonly prompts: number;
  /** Which of the rows that were given they are. */
  readonly rows: Int32Array;
  /** p(y_j | x_j, a) at [j * prompts + a], from 1e-15 to 1; in place of no answer the others' mean. */
  readonly likelihood: Float64Array;
  /** Its natural logarithm. */
  readonly logLikelihood: Float64Array;
  /** 1 for a prompt that answered none of them: its weight is 0. */
  readonly silent: Uint8Array;
  /** Likelihoods that were below 1e-15. */
  readonly clipped: number;
  /** Answers that are missing among these labels. */
  readonly unanswered: number;
}

/**
 * The likelihoods of labels under prompts' answers. A missing answer counts as the mean of the
 * answers that the same pair got from other prompts, so that silence is neither rewarded nor
 * punished; a pair that no prompt answered is left out.
 *
 * @param options.labels what is right of each row, 0 or 1.
 * @param options.probabilities P(label is 1) at [row * prompts + a], NaN for no answer.
 * @throws RangeError where the numbers of labels and answers do not fit.
 * @example
 * labelLikelihoods({ labels: [0], probabilities: Float64Array.of(0.25, 0.5), prompts: 2 }).likelihood
 *   // [0.75, 0.5]
 */
export function labelLikelihoods({
  labels,
  probabilities,
  prompts,
}: {
  readonly labels: ArrayLike<number>;
  readonly probabilities: Float64Array;
  readonly prompts: number;
}): LabelLikelihoods {
  if (probabilities.length !== labels.length * prompts) {
    throw new RangeError(
      `Expected ${labels.length} x ${prompts} answers but received ${probabilities.length}`,
    );
  }
  const rows = answeredRows(probabilities, prompts);
  const likelihood = new Float64Array(rows.length * prompts);
  const silent = new Uint8Array(prompts).fill(rows.length === 0 ? 0 : 1);
  let clipped = 0;
  let unanswered = 0;
  rows.forEach((row, at) => {
    let sum = 0;
    let count = 0;
    for (let prompt = 0; prompt < prompts; prompt++) {
      const first = probabilities[row * prompts + prompt] ?? Number.NaN;
      if (Number.isNaN(first)) continue;
      const exact = labels[row] === 1 ? first : 1 - first;
      if (exact < leastLikelihood) clipped += 1;
      const likely = Math.max(exact, leastLikelihood);
      likelihood[at * prompts + prompt] = likely;
      silent[prompt] = 0;
      sum += likely;
      count += 1;
    }
    if (count === prompts) return;
    unanswered += prompts - count;
    for (let prompt = 0; prompt < prompts; prompt++) {
      if (Number.isNaN(probabilities[row * prompts + prompt] ?? Number.NaN)) {
        likelihood[at * prompts + prompt] = sum / count;
      }
    }
  });
  return {
    labels: rows.length,
    prompts,
    rows,
    likelihood,
    silent,
    clipped,
    unanswered,
    logLikelihood: likelihood.map(log),
  };
}

/** Rows that at least one prompt answered. */
function answeredRows(probabilities: Float64Array, prompts: number): Int32Array {
  const rows: number[] = [];
  for (let start = 0; start < probabilities.length; start += prompts) {
    const answers = probabilities.subarray(start, start + prompts);
    if (!answers.every(Number.isNaN)) rows.push(start / prompts);
  }
  return Int32Array.from(rows);
}
