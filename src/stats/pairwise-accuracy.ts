import type { PairCounts } from "./pair-counts.js";

/**
 * The share of pairs that x, a metric, puts in the order that y, people, give them. Pairs that
 * people tie are left out, pairs that only the metric ties count half:
 * (C + T / 2) / (C + D + T) = (1 + (C - D) / (pairs not tied in y)) / 2, which is Somers' D of x
 * given y brought to [0, 1]. Tossing a coin gives 0.5, and so does a metric that ties everything.
 * Somers, "A New Asymmetric Measure of Association for Ordinal Variables" (1962).
 *
 * @returns a number in [0, 1]; NaN where y is constant.
 * @example pairwiseAccuracy(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 2.5 / 3
 */
export function pairwiseAccuracy({ pairs, difference, tiedY }: PairCounts): number {
  return pairs === tiedY ? Number.NaN : (1 + difference / (pairs - tiedY)) / 2;
}
