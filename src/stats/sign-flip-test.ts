import type { Random } from "../core/random.js";
import { subsetSums } from "./subset-sums.js";

/** Up to this many differences all ways of turning their signs are gone through. */
const mostToEnumerate = 20;

/**
 * Whether the mean of paired differences lies further from 0 than chance would have it: if either
 * of two were as likely to be the better one, each difference could have the other sign. Two-sided;
 * what differs from the mean found by rounding alone is as far from 0 as it. Up to 20 differences p is
 * exact, the share of all 2^n ways of turning signs that lie at least as far; beyond, it is
 * (1 + b) / (1 + B) with b such among B random ways, and never 0. Fisher, "The Design of Experiments"
 * (1935), 21; the added ones: Phipson and Smyth, "Permutation P-values Should Never Be Zero" (2010).
 *
 * @param differences that count as independent.
 * @returns p in (0, 1]; 1 without a difference.
 * @example signFlipTest([1, 2, 3], { permutations: 100, random }).p // 0.25
 */
export function signFlipTest(
  differences: ArrayLike<number>,
  { permutations, random }: { readonly permutations: number; readonly random: Random },
): { readonly p: number; readonly isExact: boolean } {
  let sum = 0;
  let size = 0;
  for (let at = 0; at < differences.length; at++) {
    sum += differences[at] ?? 0;
    size += Math.abs(differences[at] ?? 0);
  }
  const far = Math.abs(sum) - 1e-12 * size;
  if (differences.length <= mostToEnumerate) return { p: exact(differences, far), isExact: true };

  const [turned = new Float64Array()] = subsetSums([Float64Array.from(differences)], {
    subsets: permutations,
    random,
  });
  const atLeast = turned.reduce(
    (count, each) => count + Number(Math.abs(sum - 2 * each) >= far),
    0,
  );
  return { p: (1 + atLeast) / (1 + permutations), isExact: false };
}

/** The first sign stays: turning all of them leaves every distance from 0 as it is. */
function exact(differences: ArrayLike<number>, far: number): number {
  const first = differences[0];
  if (first === undefined) return 1;
  const last = differences.length - 1;
  const countFrom = (at: number, sum: number): number => {
    if (at > last) return Math.abs(sum) >= far ? 1 : 0;
    const next = differences[at] ?? 0;
    return countFrom(at + 1, sum + next) + countFrom(at + 1, sum - next);
  };
  return countFrom(1, first) / 2 ** last;
}
