import type { Random } from "../core/random.js";
import { square } from "./elementary/powers.js";
import { normalTails } from "./normal.js";
import { subsetSums } from "./subset-sums.js";

/** Up to this many differences all ways of turning their signs count. */
const mostToEnumerate = 20;
/** Up to this many, random ways are drawn; of more, the sum's distribution is known well enough. */
const mostToDraw = 10_000;
/** So many differences of equal size must there be for that, or as many as tell as much. */
const enoughForNormal = 1000;

/** How p was come by: from all ways of turning signs, from random ones, or from their normal limit. */
export type SignFlips = "exact" | "random" | "normal";

/**
 * Whether the mean of paired differences lies further from 0 than chance would have it: if either
 * of two were as likely to be the better one, each difference could have the other sign. Two-sided;
 * what differs from the mean found by rounding alone is as far from 0 as it. Fisher, "The Design of
 * Experiments" (1935), 21.
 *
 * - Up to 20 differences p is exact, the share of all 2^n ways of turning signs that lie at least as far.
 * - Beyond, it is (1 + b) / (1 + B) with b such among B random ways, and never 0 (Phipson and Smyth,
 *   "Permutation P-values Should Never Be Zero", 2010).
 * - Above 10,000 it is that of z = sum / sqrt(sum of squares), whose error in p lies below a fiftieth of p
 *   down to 1e-4, since at least 1,000 differences must carry the sum: (sum d^2)^2 / sum d^4 of them.
 *   Where fewer do, random ways are drawn.
 *
 * @param differences that count as independent.
 * @returns p in [0, 1], above 0 but for the normal limit; 1 without a difference.
 * @example signFlipTest([1, 2, 3], { permutations: 100, random }).p // 0.25
 */
export function signFlipTest(
  differences: ArrayLike<number>,
  { permutations, random }: { readonly permutations: number; readonly random: Random },
): { readonly p: number; readonly flips: SignFlips } {
  let sum = 0;
  let size = 0;
  let squares = 0;
  let fourths = 0;
  for (let at = 0; at < differences.length; at++) {
    const each = differences[at] ?? 0;
    sum += each;
    size += Math.abs(each);
    squares += square(each);
    fourths += square(square(each));
  }
  const far = Math.abs(sum) - 1e-12 * size;
  if (differences.length <= mostToEnumerate) return { p: exact(differences, far), flips: "exact" };
  if (differences.length > mostToDraw && square(squares) >= enoughForNormal * fourths) {
    return { p: size === 0 ? 1 : normalTails(sum / Math.sqrt(squares)), flips: "normal" };
  }
  const [turned = new Float64Array()] = subsetSums([Float64Array.from(differences)], {
    subsets: permutations,
    random,
  });
  const atLeast = turned.reduce(
    (count, each) => count + Number(Math.abs(sum - 2 * each) >= far),
    0,
  );
  return { p: (1 + atLeast) / (1 + permutations), flips: "random" };
}

/**
 * Counts all ways by the sums of either half in order, which takes 2^(n / 2) steps. Horowitz and Sahni,
 * "Computing Partitions with Applications to the Knapsack Problem" (1974). The first sign stays: turning
 * all of them leaves every distance from 0 as it is.
 */
function exact(differences: ArrayLike<number>, far: number): number {
  if (far <= 0) return 1;
  const sizes = Float64Array.from(differences);
  const middle = Math.ceil(sizes.length / 2);
  const first = sizes.subarray(1, middle).reduce(signedSums, sizes.slice(0, 1));
  const rest = sizes.subarray(middle).reduce(signedSums, new Float64Array(1));
  let atLeast = 0;
  // Of the other half, from which sum on it is as far above 0, and up to which as far below.
  let above = rest.length;
  let below = rest.length;
  for (const one of first) {
    while (above > 0 && one + (rest[above - 1] ?? 0) >= far) above -= 1;
    while (below > 0 && one + (rest[below - 1] ?? 0) > -far) below -= 1;
    atLeast += rest.length - above + below;
  }
  return atLeast / (first.length * rest.length);
}

/** The sums with a further number added and taken away, in order. */
function signedSums(sums: Float64Array, number: number): Float64Array<ArrayBuffer> {
  const size = Math.abs(number);
  const all = new Float64Array(2 * sums.length);
  let [up, down] = [0, 0];
  for (let at = 0; at < all.length; at++) {
    const less = down < sums.length ? (sums[down] ?? 0) - size : Number.POSITIVE_INFINITY;
    const more = up < sums.length ? (sums[up] ?? 0) + size : Number.POSITIVE_INFINITY;
    all[at] = Math.min(less, more);
    if (less <= more) down += 1;
    else up += 1;
  }
  return all;
}
