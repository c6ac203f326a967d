import { square } from "./elementary/powers.js";
import { normalTails } from "./normal.js";
import { centredRanks, levelWeights, ranked } from "./ranked.js";

/**
 * Whether two samples come from one distribution, by the ranks of their pooled numbers (Wilcoxon,
 * Mann and Whitney): with m of N numbers in the first sample, R the sum of their ranks, ties sharing
 * their mean rank, z = (R - m (N + 1) / 2) / s, where s^2 = m (N - m) / (N (N - 1)) times the sum of
 * squared deviations of all ranks from their mean; two-sided, without continuity correction. Good from
 * about ten numbers in either sample. Lehmann, "Nonparametrics" (1975), 1.4.
 *
 * @returns p in [0, 1]; 1 where a sample is empty or all numbers are equal.
 * @example wilcoxonRankSum([1, 2, 3], [4, 5, 6]) // 0.0495
 */
export function wilcoxonRankSum(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const first = one.length;
  const all = first + other.length;
  const values = new Float64Array(all);
  values.set(Array.from(one), 0);
  values.set(Array.from(other), first);
  const order = ranked(values);
  const onLevel = levelWeights(order);
  const ranks = centredRanks(onLevel);
  const squares = ranks.reduce((sum, rank, level) => sum + (onLevel[level] ?? 0) * square(rank), 0);
  const variance = (first * (all - first) * squares) / (all * (all - 1));
  if (!(variance > 0)) return 1;
  let sum = 0;
  for (let at = 0; at < first; at++) sum += ranks[order.level[at] ?? 0] ?? 0;
  return normalTails(sum / Math.sqrt(variance));
}

/** Up to this many differences p comes from all ways of turning signs. */
const mostToEnumerate = 50;

/** Null where the data do not define it; `reason` then says why. */
export interface SignedRankTest {
  /** The sum of the ranks of positive differences. */
  readonly positive: number | null;
  /** Differences other than 0. */
  readonly n: number;
  /** Two-sided. */
  readonly p: number | null;
  readonly isExact: boolean;
  readonly reason?: string;
}

/**
 * Wilcoxon's signed-rank test, whether paired differences lie symmetrically around 0: zeros are
 * dropped (as Wilcoxon did), the sizes of the n others ranked, ties sharing their mean rank, and
 * W = the sum of the ranks of positive ones. Up to n = 50, p is exact, with ties, too: twice the
 * share of the 2^n ways of turning signs with a W at most the smaller of W and its mirror image, at
 * most 1. Else z = (W - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48), t the
 * sizes of ties, without continuity correction. Wilcoxon, "Individual Comparisons by Ranking Methods"
 * (1945); Hollander and Wolfe, "Nonparametric Statistical Methods" (1999), 3.1.
 *
 * @param options.exact whether small samples are enumerated; default true.
 * @example wilcoxonSignedRank([1, 2, 3]).p // 0.25
 */
export function wilcoxonSignedRank(
  differences: ArrayLike<number>,
  { exact = true }: { readonly exact?: boolean } = {},
): SignedRankTest {
  const kept = Float64Array.from(differences).filter((each) => each !== 0);
  const n = kept.length;
  if (n === 0) {
    return { positive: null, n, p: null, isExact: false, reason: "every difference is 0" };
  }
  const sizes = ranked(kept.map(Math.abs));
  const onLevel = levelWeights(sizes);
  const rankOf = centredRanks(onLevel).map((rank) => rank + (n + 1) / 2);
  let positive = 0;
  kept.forEach((each, at) => {
    if (each > 0) positive += rankOf[sizes.level[at] ?? 0] ?? 0;
  });
  if (exact && n <= mostToEnumerate) {
    const smaller = Math.min(positive, (n * (n + 1)) / 2 - positive);
    const ranks = [...sizes.level].map((level) => 2 * (rankOf[level] ?? 0));
    return { positive, n, p: Math.min(1, 2 * shareUpTo(2 * smaller, ranks)), isExact: true };
  }
  const ties = onLevel.reduce((sum, size) => sum + size * (square(size) - 1), 0);
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  const z = (positive - (n * (n + 1)) / 4) / Math.sqrt(variance);
  return { positive, n, p: normalTails(z), isExact: false };
}

/** The share of all subsets of some whole numbers whose sum is at most `most`. */
function shareUpTo(most: number, numbers: readonly number[]): number {
  const shares = new Float64Array(numbers.reduce((sum, each) => sum + each, 0) + 1);
  shares[0] = 1;
  let reached = 0;
  for (const number of numbers) {
    reached += number;
    for (let sum = reached; sum >= 0; sum--) {
      const without = shares[sum] ?? 0;
      shares[sum] = (without + (sum >= number ? (shares[sum - number] ?? 0) : 0)) / 2;
    }
  }
  return shares.subarray(0, most + 1).reduce((total, share) => total + share, 0);
}
