import { normalTails } from "./normal-tails.js";
import type { PairCounts } from "./pair-counts.js";
import { levelWeights, type Ranked } from "./ranked.js";

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

/**
 * The two-sided p-value of no association by Kendall's normal approximation with the correction for
 * ties, without a correction for continuity: C - D over the root of its variance among independent
 * columns. Kendall, "Rank Correlation Methods" (1970), 4.4 and 5. Few rows (below about ten) make
 * it rough.
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
  const variance =
    (ordered * (2 * n + 5) - tiesX.weighted - tiesY.weighted) / 18 +
    (tiesX.pairs * tiesY.pairs) / (2 * ordered) +
    (n < 3 ? 0 : (tiesX.triples * tiesY.triples) / (9 * ordered * (n - 2)));
  return normalTails(difference / Math.sqrt(variance));
}

/** Over the groups of t tied rows: sums of t (t - 1), t (t - 1) (t - 2) and t (t - 1) (2 t + 5). */
function tieSums(column: Ranked) {
  let pairs = 0;
  let triples = 0;
  let weighted = 0;
  for (const t of levelWeights(column)) {
    pairs += t * (t - 1);
    triples += t * (t - 1) * (t - 2);
    weighted += t * (t - 1) * (2 * t + 5);
  }
  return { pairs, triples, weighted };
}
