import { square } from "./elementary/powers.js";
import { bothLevelWeights, centredRanks, type Ranked } from "./ranked.js";

/**
 * Spearman's rank correlation: Pearson's correlation of average ranks, so ties are accounted for.
 * Spearman, "The Proof and Measurement of Association between Two Things" (1904); Kendall, "Rank
 * Correlation Methods" (1970), 3.8 for ties. Linear in rows.
 *
 * @param weights how often each row counts; each once by default. Behind them `bothLevelWeights`, and the sum of products
 *   of ranks, where these are known.
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example spearman(ranked([1, 2, 3]), ranked([10, 30, 20])) // 0.5
 */
export function spearman(
  x: Ranked,
  y: Ranked,
  weights?: ArrayLike<number>,
  [weightX, weightY] = bothLevelWeights(x, y, weights),
  known?: number,
): number {
  const rankX = centredRanks(weightX);
  const rankY = centredRanks(weightY);
  const product = known ?? productOf([x, rankX], [y, rankY], weights);
  const squareX = squares(rankX, weightX);
  const squareY = squares(rankY, weightY);
  if (squareX === 0 || squareY === 0) return Number.NaN;
  return Math.max(-1, Math.min(1, product / Math.sqrt(squareX) / Math.sqrt(squareY)));
}

function productOf(
  [x, rankX]: readonly [Ranked, Float64Array],
  [y, rankY]: readonly [Ranked, Float64Array],
  weights: ArrayLike<number> | undefined,
): number {
  let product = 0;
  for (let row = 0; row < x.level.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    product += weight * (rankX[x.level[row] ?? 0] ?? 0) * (rankY[y.level[row] ?? 0] ?? 0);
  }
  return product;
}

function squares(ranks: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let level = 0; level < ranks.length; level++) {
    sum += (weights[level] ?? 0) * square(ranks[level] ?? 0);
  }
  return sum;
}
