import { exp } from "../stats/elementary/exponential.js";
import { log } from "../stats/elementary/logarithm.js";
/**
 * Makes logits their softmax, in place.
 *
 * @param values where they stand, from `start` on, `count` of them; -Infinity becomes 0.
 * @returns log sum exp of the logits.
 */
export function softmaxInPlace(values: Float64Array, start: number, count: number): number {
  let most = -Infinity;
  for (let at = start; at < start + count; at++) most = Math.max(most, values[at] ?? 0);
  let sum = 0;
  for (let at = start; at < start + count; at++) {
    const share = exp((values[at] ?? 0) - most);
    values[at] = share;
    sum += share;
  }
  for (let at = start; at < start + count; at++) values[at] = (values[at] ?? 0) / sum;
  return most + log(sum);
}
