import type { Random } from "../core/random.js";

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

  const sums = sumsOfFours(differences);
  const fours = sums.length / 16;
  let atLeast = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    let turned = 0;
    let bits = 0;
    for (let four = 0; four < fours; four++) {
      if (four % 8 === 0) bits = random.integer(2 ** 32) | 0;
      turned += sums[four * 16 + (bits & 15)] ?? 0;
      bits >>>= 4;
    }
    if (Math.abs(turned) >= far) atLeast += 1;
  }
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

/** For each four differences their sums under all 16 ways of turning signs: four bits, one look. */
function sumsOfFours(differences: ArrayLike<number>): Float64Array {
  const fours = Math.ceil(differences.length / 4);
  const sums = new Float64Array(fours * 16);
  for (let at = 0; at < sums.length; at++) {
    const first = (at >> 4) * 4;
    let sum = 0;
    for (let bit = 0; bit < 4; bit++) {
      const next = differences[first + bit] ?? 0;
      sum += (at >> bit) & 1 ? -next : next;
    }
    sums[at] = sum;
  }
  return sums;
}
