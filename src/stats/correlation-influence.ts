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
  return zx.map((z, row) => {
    const other = zy[row] ?? 0;
    return (z * other - (r / 2) * (z * z + other * other)) / x.length;
  });
}

function zScores(values: Float64Array): Float64Array {
  const { scale, mean, rest } = centre(values);
  const deviations = values.map((value) => value * scale - mean - rest);
  const root = Math.sqrt(deviations.reduce((sum, d) => sum + d * d, 0) / values.length);
  return deviations.map((deviation) => deviation / root);
}

/**
 * The same for Spearman's: the weight of a row moves its own product of ranks and the rank of every
 * row above it, in all three sums of which the coefficient is made. Both columns must vary.
 */
export function spearmanInfluence(x: Ranked, y: Ranked): Float64Array {
  const a = rowRanks(x);
  const b = rowRanks(y);
  const sum = (one: Float64Array, other: Float64Array) =>
    one.reduce((total, value, row) => total + value * (other[row] ?? 0), 0);
  const squareX = sum(a, a);
  const squareY = sum(b, b);
  const root = Math.sqrt(squareX) * Math.sqrt(squareY);
  const rho = sum(a, b) / root;
  const [bAboveX, aAboveY] = [sumAbove(x, b), sumAbove(y, a)];
  const [aAboveX, bAboveY] = [sumAbove(x, a), sumAbove(y, b)];
  return a.map((rankX, row) => {
    const rankY = b[row] ?? 0;
    const product = rankX * rankY + (bAboveX[row] ?? 0) + (aAboveY[row] ?? 0);
    const ownX = rankX * rankX + 2 * (aAboveX[row] ?? 0);
    const ownY = rankY * rankY + 2 * (bAboveY[row] ?? 0);
    return product / root - (rho / 2) * (ownX / squareX + ownY / squareY);
  });
}

const rowRanks = (column: Ranked): Float64Array =>
  rowsFrom(column, centredRanks(levelWeights(column)));

/** For each row what its level has. A loop, as `Float64Array.from` takes several times as long. */
function rowsFrom({ level }: Ranked, ofLevel: Float64Array): Float64Array {
  const ofRow = new Float64Array(level.length);
  for (let row = 0; row < level.length; row++) ofRow[row] = ofLevel[level[row] ?? 0] ?? 0;
  return ofRow;
}

/** For each row the sum of `values` over the rows above it in `column`, of its own level half. */
function sumAbove(column: Ranked, values: Float64Array): Float64Array {
  const ofLevel = new Float64Array(column.levels);
  for (let row = 0; row < values.length; row++) {
    const level = column.level[row] ?? 0;
    ofLevel[level] = (ofLevel[level] ?? 0) + (values[row] ?? 0);
  }
  let above = 0;
  for (let level = column.levels - 1; level >= 0; level--) {
    const own = ofLevel[level] ?? 0;
    ofLevel[level] = above + own / 2;
    above += own;
  }
  return rowsFrom(column, ofLevel);
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
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  const all = total(difference);
  return {
    tauB() {
      const [untiedX, untiedY] = [untied(x), untied(y)];
      const [allX, allY] = [total(untiedX), total(untiedY)];
      const root = Math.sqrt(allX) * Math.sqrt(allY);
      return difference.map(
        (own, row) =>
          (2 * own) / root -
          (all / root) * ((untiedX[row] ?? 0) / allX + (untiedY[row] ?? 0) / allY),
      );
    },
    tauC() {
      const levels = Math.min(x.levels, y.levels);
      const scale = levels / (levels - 1) / (n * n);
      return difference.map((own) => 2 * scale * (own - all / n));
    },
    accuracy() {
      const untiedY = untied(y);
      const allY = total(untiedY);
      return difference.map((own, row) => (own - (all / allY) * (untiedY[row] ?? 0)) / allY);
    },
  };
}

/** With how many rows each row is not tied. */
const untied = (column: Ranked): Float64Array =>
  rowsFrom(
    column,
    levelWeights(column).map((weight) => column.level.length - weight),
  );
