import { square } from "./elementary/square.js";
import { normalTails } from "./normal-tails.js";
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
