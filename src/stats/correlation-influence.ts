import { rowDifferences } from "./pair-counts.js";
import { centre } from "./pearson.js";
import { centredRanks, levelWeights, type Ranked } from "./ranked.js";

/**
 * By how much Pearson's correlation moves with the weight of each row: with z-scores (population),
 * (zx zy - r (zx^2 + zy^2) / 2) / n. Devlin, Gnanadesikan and Kettenring, "Robust Estimation and
 * Outlier Detection with Correlation Coefficients" (1975). Both columns must vary.
 */
export function pearsonInfluence(x: Float64Array, y: Float64Array): Float64Array {
  const zx = zScores(x);
  const zy = zScores(y);
  const r = zx.reduce((sum, z, row) => sum + z * (zy[row] ?? 0), 0) / x.length;
  for (let row = 0; row < zx.length; row++) {
    const z = zx[row] ?? 0;
    const other = zy[row] ?? 0;
    zx[row] = (z * other - (r / 2) * (z * z + other * other)) / x.length;
  }
  return zx;
}

function zScores(values: Float64Array): Float64Array {
  const { scale, mean, rest } = centre(values);
  const scores = values.map((value) => value * scale - mean - rest);
  const root = Math.sqrt(scores.reduce((sum, d) => sum + d * d, 0) / values.length);
  for (let row = 0; row < scores.length; row++) scores[row] = (scores[row] ?? 0) / root;
  return scores;
}

/**
 * The same for Spearman's: the weight of a row moves its own product of ranks and the rank of every
 * row above it, in all three sums of which the coefficient is made. Both columns must vary.
 */
export function spearmanInfluence(x: Ranked, y: Ranked): Float64Array {
  const [a, b] = [x, y].map((column) => centredRanks(levelWeights(column)));
  if (a === undefined || b === undefined) throw new RangeError("Expected two columns");
  const sum = (column: Ranked, one: Float64Array, other: Ranked, its: Float64Array) => {
    let total = 0;
    for (let row = 0; row < column.level.length; row++) {
      total += (one[column.level[row] ?? 0] ?? 0) * (its[other.level[row] ?? 0] ?? 0);
    }
    return total;
  };
  const squareX = sum(x, a, x, a);
  const squareY = sum(y, b, y, b);
  const root = Math.sqrt(squareX) * Math.sqrt(squareY);
  const rho = sum(x, a, y, b) / root;
  const [bAboveX, aAboveY] = [sumAbove(x, y, b), sumAbove(y, x, a)];
  const [aAboveX, bAboveY] = [sumAbove(x, x, a), sumAbove(y, y, b)];
  const influence = new Float64Array(x.level.length);
  for (let row = 0; row < influence.length; row++) {
    const [atX, atY] = [x.level[row] ?? 0, y.level[row] ?? 0];
    const [rankX, rankY] = [a[atX] ?? 0, b[atY] ?? 0];
    const product = rankX * rankY + (bAboveX[atX] ?? 0) + (aAboveY[atY] ?? 0);
    const ownX = rankX * rankX + 2 * (aAboveX[atX] ?? 0);
    const ownY = rankY * rankY + 2 * (bAboveY[atY] ?? 0);
    influence[row] = product / root - (rho / 2) * (ownX / squareX + ownY / squareY);
  }
  return influence;
}

/** For each level of `column` the sum of what rows above it have on their level of `other`, of its own rows half. */
function sumAbove(column: Ranked, other: Ranked, values: Float64Array): Float64Array {
  const ofLevel = new Float64Array(column.levels);
  for (let row = 0; row < column.level.length; row++) {
    const level = column.level[row] ?? 0;
    ofLevel[level] = (ofLevel[level] ?? 0) + (values[other.level[row] ?? 0] ?? 0);
  }
  let above = 0;
  for (let level = column.levels - 1; level >= 0; level--) {
    const own = ofLevel[level] ?? 0;
    ofLevel[level] = above + own / 2;
    above += own;
  }
  return ofLevel;
}

/**
 * The same for the statistics of pairs, each made when it is asked for: tau-b, tau-c and the pairwise accuracy of
 * x for y's order. Each is made of sums over pairs, so a row's influence is made of the sums over its own pairs
 * (Hajek's projection; Hoeffding, "A Class of Statistics with Asymptotically Normal Distribution",
 * 1948). Both columns must vary.
 */
export function pairInfluences(x: Ranked, y: Ranked) {
  const n = x.level.length;
  const difference = rowDifferences(x, y);
  const all = difference.reduce((sum, value) => sum + value, 0);
  return {
    tauB() {
      const [untiedX, untiedY] = [untied(x), untied(y)];
      const [allX, allY] = [pairsOf(x), pairsOf(y)];
      const root = Math.sqrt(allX) * Math.sqrt(allY);
      return difference.map(
        (own, row) =>
          (2 * own) / root -
          (all / root) *
            ((untiedX[x.level[row] ?? 0] ?? 0) / allX + (untiedY[y.level[row] ?? 0] ?? 0) / allY),
      );
    },
    tauC() {
      const levels = Math.min(x.levels, y.levels);
      const scale = levels / (levels - 1) / (n * n);
      return difference.map((own) => 2 * scale * (own - all / n));
    },
    accuracy() {
      const untiedY = untied(y);
      const allY = pairsOf(y);
      return difference.map(
        (own, row) => (own - (all / allY) * (untiedY[y.level[row] ?? 0] ?? 0)) / allY,
      );
    },
  };
}

/** With how many rows those of each level are not tied. */
const untied = ({ count, level }: Ranked): Float64Array =>
  count.map((weight) => level.length - weight);

/** Ordered pairs of rows that are not tied: whole numbers, so their order changes nothing. */
const pairsOf = (column: Ranked): number =>
  untied(column).reduce((sum, own, level) => sum + own * (column.count[level] ?? 0), 0);
