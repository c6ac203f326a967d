import { pearson } from "./pearson.js";
import { centredRanks, levelWeights, type Ranked } from "./ranked.js";
import { solveSymmetric } from "./solve-symmetric.js";

/**
 * Pearson's correlation of the first two columns after what the others explain linearly is taken from
 * both: (rxy - a' R^-1 b) / root of (1 - a' R^-1 a)(1 - b' R^-1 b), with R the correlations among the
 * others, a and b theirs with x and y. Yule, "On the Theory of Correlation for any Number of Variables"
 * (1907).
 *
 * @param columns x, y, and those to hold constant.
 * @param weights how often each row counts; each once by default.
 * @returns a number in [-1, 1]; NaN where a column is constant, or the others explain x or y whole.
 */
export function partialCorrelation(
  columns: readonly ArrayLike<number>[],
  weights?: ArrayLike<number>,
): number {
  const [x = [], y = [], ...given] = columns;
  const r = (one: ArrayLike<number>, other: ArrayLike<number>) => pearson(one, other, weights);
  const among = given.flatMap((one) => given.map((other) => (one === other ? 1 : r(one, other))));
  const withX = given.map((one) => r(one, x));
  const withY = given.map((one) => r(one, y));
  const solved = solveSymmetric(among, withX);
  const solvedY = solveSymmetric(among, withY);
  if (solved === undefined || solvedY === undefined) return Number.NaN;
  const dot = (one: ArrayLike<number>, other: readonly number[]) =>
    other.reduce((sum, value, at) => sum + value * (one[at] ?? 0), 0);
  const left = (1 - dot(solved, withX)) * (1 - dot(solvedY, withY));
  // What is left of rounding is no variance.
  if (!(left > 1e-12)) return Number.NaN;
  return Math.max(-1, Math.min(1, (r(x, y) - dot(solved, withY)) / Math.sqrt(left)));
}

/** The same of ranks: Spearman's partial correlation. */
export function partialSpearman(columns: readonly Ranked[], weights?: ArrayLike<number>): number {
  return partialCorrelation(
    columns.map((column) => ranksOf(column, weights)),
    weights,
  );
}

function ranksOf(column: Ranked, weights?: ArrayLike<number>): Float64Array {
  const ranks = centredRanks(levelWeights(column, weights));
  return Float64Array.from(column.level, (level) => ranks[level] ?? 0);
}
