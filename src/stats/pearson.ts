import { powerOfTwo } from "./elementary/float-words.js";
import { ceilLog2 } from "./elementary/powers.js";
import { regularisedIncompleteBeta } from "./incomplete-beta.js";
import { centredRanks, levelWeights, type Ranked } from "./ranked.js";
import { solveSymmetric } from "./solve-symmetric.js";

/**
 * Pearson's correlation: sum of (x - mean x)(y - mean y) over the root of the product of both sums
 * of squares. Pearson, "Note on Regression and Inheritance in the Case of Two Parents" (1895).
 * Numbers are scaled by a power of two, so that no square overflows and no digit is lost, and the mean
 * is corrected by the mean of what remains, so that a large offset costs none either (Chan, Golub and
 * LeVeque, "Algorithms for Computing the Sample Variance", 1983).
 *
 * @param weights how often each row counts; each once by default.
 * @param known the centres of both columns, where these are known.
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example pearson([1, 2, 3], [2, 4, 7]) // 0.9933992677987828
 */
export function pearson(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
  known?: Centres,
): number {
  if (!varies(x, weights) || !varies(y, weights)) return Number.NaN;
  const [ofX, ofY] = known ?? centresOf(x, y, weights);
  const { scale: scaleX, mean: meanX, rest: restX } = ofX;
  const { scale: scaleY, mean: meanY, rest: restY } = ofY;
  const sums = new Float64Array(3);
  for (let row = 0; row < x.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    const dx = (x[row] ?? 0) * scaleX - meanX - restX;
    const dy = (y[row] ?? 0) * scaleY - meanY - restY;
    sums[0] = (sums[0] ?? 0) + weight * dx * dx;
    sums[1] = (sums[1] ?? 0) + weight * dy * dy;
    sums[2] = (sums[2] ?? 0) + weight * dx * dy;
  }
  const [xx = 0, yy = 0, xy = 0] = sums;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

/** Centre of a column whose numbers are multiplied by `scale`: the mean, and what it was rounded by. */
export interface Centre {
  readonly scale: number;
  readonly mean: number;
  readonly rest: number;
}

export type Centres = readonly [ofX: Centre, ofY: Centre];

/** The centre of a column. */
export const centre = (values: ArrayLike<number>): Centre => centresOf(values, values)[0];

function centresOf(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Centres {
  const scaleX = scaleOf(x, weights);
  const scaleY = x === y ? scaleX : scaleOf(y, weights);
  const scaled = { x, y, weights, scaleX, scaleY };
  const [meanX, meanY] = meansFrom(0, 0, scaled);
  const [restX, restY] = meansFrom(meanX, meanY, scaled);
  return [
    { scale: scaleX, mean: meanX, rest: restX },
    { scale: scaleY, mean: meanY, rest: restY },
  ];
}

/** Whether rows that count differ. */
function varies(values: ArrayLike<number>, weights: ArrayLike<number> | undefined): boolean {
  let first: number | undefined;
  for (let row = 0; row < values.length; row++) {
    if (weights?.[row] === 0) continue;
    first ??= values[row] ?? 0;
    if (values[row] !== first) return true;
  }
  return false;
}

/** A power of two: the largest number of the rows that count, times it, lies in (0.5, 1]. */
function scaleOf(values: ArrayLike<number>, weights: ArrayLike<number> | undefined): number {
  let largest = 0;
  for (let row = 0; row < values.length; row++) {
    const size = Math.abs(values[row] ?? 0);
    if (size > largest && weights?.[row] !== 0) largest = size;
  }
  return largest === 0 ? 1 : powerOfTwo(Math.max(-1022, -ceilLog2(largest)));
}

/** The mean distances of two columns from a number each; in one pass, as a sum waits for its last addition. */
function meansFrom(
  fromX: number,
  fromY: number,
  {
    x,
    y,
    weights,
    scaleX,
    scaleY,
  }: {
    readonly x: ArrayLike<number>;
    readonly y: ArrayLike<number>;
    readonly weights: ArrayLike<number> | undefined;
    readonly scaleX: number;
    readonly scaleY: number;
  },
): readonly [number, number] {
  // In an array: V8 makes an object of each sum in a loop that it compiles while it runs.
  const sums = new Float64Array(2);
  let count = 0;
  for (let row = 0; row < x.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    sums[0] = (sums[0] ?? 0) + weight * ((x[row] ?? 0) * scaleX - fromX);
    sums[1] = (sums[1] ?? 0) + weight * ((y[row] ?? 0) * scaleY - fromY);
    count += weight;
  }
  return [(sums[0] ?? 0) / count, (sums[1] ?? 0) / count];
}

/**
 * The two-sided p-value of no association for a Pearson or Spearman correlation: t = r sqrt((n - 2)
 * / (1 - r^2)) with n - 2 degrees of freedom. Exact for Pearson where both columns are normal;
 * Kendall, "Rank Correlation Methods" (1970), 5.8 for ranks. Rows must be independent.
 *
 * @param correlation in [-1, 1].
 * @param n how many rows; below 3 there is no p-value.
 * @returns a number in [0, 1]; NaN where the correlation is, or n is below 3.
 */
export function correlationPValue(correlation: number, n: number): number {
  if (n < 3 || Number.isNaN(correlation)) return Number.NaN;
  // Student's t as a beta variable, without the division by 1 - r^2.
  const rest = (1 - correlation) * (1 + correlation);
  return regularisedIncompleteBeta(rest, (n - 2) / 2, 0.5);
}

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
