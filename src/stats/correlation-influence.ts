import { picked } from "../core/row-codes.js";
import { countsOf, rowDifferences } from "./pair-counts.js";
import { type Centres, centre } from "./pearson.js";
import { centredRanks, type Ranked } from "./ranked.js";

/**
 * By how much Pearson's correlation moves with the weight of each row: with z-scores (population),
 * (zx zy - r (zx^2 + zy^2) / 2) / n. Devlin, Gnanadesikan and Kettenring, "Robust Estimation and
 * Outlier Detection with Correlation Coefficients" (1975). Both columns must vary.
 *
 * @param influence where it is written; new by default, as everywhere here.
 * @param centres of both columns.
 */
export function pearsonInfluence(
  x: Float64Array,
  y: Float64Array,
  influence: Float64Array = new Float64Array(x.length),
  centres: Centres = [centre(x), centre(y)],
): Float64Array {
  const n = x.length;
  const [ofX, ofY] = centres;
  const { scale: scaleX, mean: meanX, rest: restX } = ofX;
  const { scale: scaleY, mean: meanY, rest: restY } = ofY;
  let squareX = 0;
  let squareY = 0;
  for (let row = 0; row < n; row++) {
    const dx = (x[row] ?? 0) * scaleX - meanX - restX;
    const dy = (y[row] ?? 0) * scaleY - meanY - restY;
    squareX += dx * dx;
    squareY += dy * dy;
  }
  const rootX = Math.sqrt(squareX / n);
  const rootY = Math.sqrt(squareY / n);
  let r = 0;
  for (let row = 0; row < n; row++) {
    const zx = ((x[row] ?? 0) * scaleX - meanX - restX) / rootX;
    const zy = ((y[row] ?? 0) * scaleY - meanY - restY) / rootY;
    influence[row] = zx;
    r += zx * zy;
  }
  r /= n;
  for (let row = 0; row < n; row++) {
    const zx = influence[row] ?? 0;
    const zy = ((y[row] ?? 0) * scaleY - meanY - restY) / rootY;
    influence[row] = (zx * zy - (r / 2) * (zx * zx + zy * zy)) / n;
  }
  return influence;
}

/**
 * The same for Spearman's, with the sum of products that it is made of: the weight of a row moves its own product of
 * ranks and the rank of every row above it, in all three sums of the coefficient. Both columns must vary.
 */
export function spearmanInfluence(
  x: Ranked,
  y: Ranked,
  influence: Float64Array = new Float64Array(x.level.length),
): { readonly influence: Float64Array; readonly product: number } {
  const n = influence.length;
  const areApart = x.levels === n;
  // Ranks of numbers that are all different need no table.
  const a = areApart ? undefined : centredRanks(x.count);
  const b = centredRanks(y.count);
  const first = 0.5 - n / 2;
  const aAboveY = new Float64Array(y.levels);
  // In arrays, as in `meansFrom`.
  const sums = new Float64Array(3);
  for (let row = 0; row < n; row++) {
    const atY = y.level[row] ?? 0;
    const rankX = rankAt(x.level[row] ?? 0, first, a);
    const rankY = b[atY] ?? 0;
    sums[0] = (sums[0] ?? 0) + rankX * rankX;
    sums[1] = (sums[1] ?? 0) + rankY * rankY;
    sums[2] = (sums[2] ?? 0) + rankX * rankY;
    aAboveY[atY] = (aAboveY[atY] ?? 0) + rankX;
  }
  const [squareX = 0, squareY = 0, product = 0] = sums;
  const root = Math.sqrt(squareX) * Math.sqrt(squareY);
  const rho = product / root;
  fromAbove(aAboveY);
  const ownY = y.count.map((rows, level) => rows * (b[level] ?? 0));
  fromAbove(ownY);
  for (let level = 0; level < ownY.length; level++) {
    const rank = b[level] ?? 0;
    ownY[level] = (rank * rank + 2 * (ownY[level] ?? 0)) / squareY;
  }
  const inOrder = picked(y.level, x.order);
  // From the highest level of x down, what is above it is known.
  const aboveX = new Float64Array(2);
  let end = n;
  for (let atX = x.levels - 1; atX >= 0; atX--) {
    const rankX = rankAt(atX, first, a);
    const start = end - (x.count[atX] ?? 0);
    let ofLevel = 0;
    for (let at = start; at < end; at++) ofLevel += b[inOrder[at] ?? 0] ?? 0;
    const above = (aboveX[1] ?? 0) + ofLevel / 2;
    const own = (end - start) * rankX;
    const ownX = (rankX * rankX + 2 * ((aboveX[0] ?? 0) + own / 2)) / squareX;
    for (let at = start; at < end; at++) {
      const atY = inOrder[at] ?? 0;
      const moves = rankX * (b[atY] ?? 0) + above + (aAboveY[atY] ?? 0);
      influence[x.order[at] ?? 0] = moves / root - (rho / 2) * (ownX + (ownY[atY] ?? 0));
    }
    aboveX[0] = (aboveX[0] ?? 0) + own;
    aboveX[1] = (aboveX[1] ?? 0) + ofLevel;
    end = start;
  }
  return { influence, product };
}

/** The rank of a level: levels of one number each have one more than the level below. */
const rankAt = (level: number, first: number, ranks: Float64Array | undefined): number =>
  ranks === undefined ? level + first : (ranks[level] ?? 0);

/** Makes of each level's sum that of all above it, and half its own. Halves below 2^52: their order changes nothing. */
function fromAbove(ofLevel: Float64Array): void {
  let above = 0;
  for (let level = ofLevel.length - 1; level >= 0; level--) {
    const own = ofLevel[level] ?? 0;
    ofLevel[level] = above + own / 2;
    above += own;
  }
}

/**
 * The same for the statistics of pairs, each made when it is asked for: tau-b, tau-c and the pairwise accuracy of
 * x for y's order; and the counts of all pairs. Each is made of sums over pairs, so a row's influence is made of the
 * sums over its own pairs (Hajek's projection; Hoeffding, "A Class of Statistics with Asymptotically Normal
 * Distribution", 1948). Both columns must vary.
 */
export function pairInfluences(x: Ranked, y: Ranked) {
  const n = x.level.length;
  const difference = rowDifferences(x, y);
  let all = 0;
  for (let row = 0; row < n; row++) all += difference[row] ?? 0;
  const [allX, allY] = [pairsOf(x), pairsOf(y)];
  const untiedY = (times: number, pairs: number) =>
    y.count.map((own) => (times * (n - own)) / pairs);
  // By row, as levels are read here and there; undefined where each row has its own.
  const tiedX = x.levels === n ? undefined : x.level.map((level) => x.count[level] ?? 0);
  return {
    counts: () => countsOf(x, y, all / 2),
    tauB(influence: Float64Array = new Float64Array(n)) {
      const ofY = untiedY(1, allY);
      const root = Math.sqrt(allX) * Math.sqrt(allY);
      const tau = all / root;
      for (let row = 0; row < n; row++) {
        const ofX = (n - (tiedX?.[row] ?? 1)) / allX;
        influence[row] =
          (2 * (difference[row] ?? 0)) / root - tau * (ofX + (ofY[y.level[row] ?? 0] ?? 0));
      }
      return influence;
    },
    tauC(influence: Float64Array = new Float64Array(n)) {
      const levels = Math.min(x.levels, y.levels);
      const scale = levels / (levels - 1) / (n * n);
      for (let row = 0; row < n; row++) {
        influence[row] = 2 * scale * ((difference[row] ?? 0) - all / n);
      }
      return influence;
    },
    accuracy(influence: Float64Array = new Float64Array(n)) {
      const ofY = untiedY(all / allY, 1);
      for (let row = 0; row < n; row++) {
        influence[row] = ((difference[row] ?? 0) - (ofY[y.level[row] ?? 0] ?? 0)) / allY;
      }
      return influence;
    },
  };
}

/** Ordered pairs of rows that are not tied: whole numbers, so their order changes nothing. */
function pairsOf({ count, level }: Ranked): number {
  let pairs = 0;
  for (let one = 0; one < count.length; one++) {
    const own = count[one] ?? 0;
    pairs += (level.length - own) * own;
  }
  return pairs;
}
