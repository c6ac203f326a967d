import { normalTails } from "./normal.js";
import type { PairCounts } from "./pair-counts.js";
import type { Ranked } from "./ranked.js";

/**
 * Kendall's tau-b: (C - D) / sqrt((pairs not tied in x) (pairs not tied in y)), with C concordant
 * and D discordant pairs. Kendall, "The Treatment of Ties in Ranking Problems" (1945).
 *
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example kendallTauB(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 0.816496580927726
 */
export function kendallTauB({ pairs, difference, tiedX, tiedY }: PairCounts): number {
  if (pairs === tiedX || pairs === tiedY) return Number.NaN;
  const tau = difference / Math.sqrt(pairs - tiedX) / Math.sqrt(pairs - tiedY);
  return Math.max(-1, Math.min(1, tau));
}

/**
 * Kendall's tau-c (Stuart's): 2 (C - D) m / (n^2 (m - 1)), m the smaller number of distinct values
 * of the two columns; it can reach 1 where that number differs. Stuart, "The Estimation and
 * Comparison of Strengths of Association in Contingency Tables" (1953).
 *
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example kendallTauC(pairCounter(ranked([1, 2, 2]), ranked([1, 2, 3]))()) // 0.888…
 */
export function kendallTauC({ n, difference, levels }: PairCounts): number {
  return levels < 2 ? Number.NaN : (2 * difference * levels) / (n * n * (levels - 1));
}

/** Up to this many rows, if none are tied, p comes from all orders. */
const mostToEnumerate = 50;

/**
 * The two-sided p-value of no association. Without ties and up to n = 50 it is exact: twice the share
 * of the n! orders with as many discordant pairs at most, or concordant ones where those are fewer.
 * Else Kendall's normal approximation with the correction for ties, without a correction for
 * continuity: C - D over the root of its variance among independent columns; few rows with ties
 * (below about ten) make it rough. Kendall, "Rank Correlation Methods" (1970), 4.4, 5 and 5.2.
 *
 * @param difference C - D.
 * @returns a number in [0, 1]; NaN where a column is constant.
 */
export function kendallPValue(x: Ranked, y: Ranked, difference: number): number {
  const n = x.level.length;
  const tiesX = tieSums(x);
  const tiesY = tieSums(y);
  const ordered = n * (n - 1);
  if (n < 2 || tiesX.pairs === ordered || tiesY.pairs === ordered) return Number.NaN;
  if (tiesX.pairs === 0 && tiesY.pairs === 0 && n <= mostToEnumerate) {
    return Math.min(1, 2 * shareOfOrders((ordered / 2 - Math.abs(difference)) / 2, n));
  }
  const variance =
    (ordered * (2 * n + 5) - tiesX.weighted - tiesY.weighted) / 18 +
    (tiesX.pairs * tiesY.pairs) / (2 * ordered) +
    (n < 3 ? 0 : (tiesX.triples * tiesY.triples) / (9 * ordered * (n - 2)));
  return normalTails(difference / Math.sqrt(variance));
}

/** The share of orders of n things that have at most `most` pairs the wrong way round. */
function shareOfOrders(most: number, n: number): number {
  let shares = Float64Array.of(1);
  for (let placed = 2; placed <= n; placed++) {
    const next = new Float64Array(most + 1);
    // The thing placed now comes before 0 to placed - 1 of the others, each as likely.
    for (let pairs = 0; pairs <= most; pairs++) {
      for (let wrong = Math.max(0, pairs - placed + 1); wrong <= pairs; wrong++) {
        next[pairs] = (next[pairs] ?? 0) + (shares[wrong] ?? 0) / placed;
      }
    }
    shares = next;
  }
  return shares.reduce((sum, share) => sum + share, 0);
}

/** Over the groups of t tied rows: sums of t (t - 1), t (t - 1) (t - 2) and t (t - 1) (2 t + 5). */
function tieSums(column: Ranked) {
  let pairs = 0;
  let triples = 0;
  let weighted = 0;
  for (let level = 0; level < column.count.length; level++) {
    const t = column.count[level] ?? 0;
    if (t === 1) continue;
    pairs += t * (t - 1);
    triples += t * (t - 1) * (t - 2);
    weighted += t * (t - 1) * (2 * t + 5);
  }
  return { pairs, triples, weighted };
}
