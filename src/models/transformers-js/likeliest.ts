import { NoAnswer } from "../../core/unscored.js";
import type { Tensor } from "./transformers-library.js";

/**
 * The likeliest tokens of the last row of logits, by the logarithm of their share in the softmax over
 * the whole vocabulary, the likeliest first and of equals the one with the lower number.
 *
 * @throws NoAnswer "unparsable" where a logit is NaN or positively infinite.
 */
export function likeliest(
  { data, dims }: Tensor,
  count: number,
): { readonly id: number; readonly logProbability: number }[] {
  if (!(data instanceof Float32Array)) {
    throw new NoAnswer("unparsable", "The model gave no logits of 32-bit numbers");
  }
  const row = data.subarray(-(dims?.at(-1) ?? data.length));
  const highest = row.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(highest)) {
    throw new NoAnswer("unparsable", `The model's highest logit is ${highest}`);
  }
  const sum = row.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  const total = highest + Math.log(sum);
  return Array.from(row, (logit, id) => ({ id, logProbability: Math.min(0, logit - total) }))
    .sort((a, b) => b.logProbability - a.logProbability || a.id - b.id)
    .slice(0, Math.max(1, count));
}
