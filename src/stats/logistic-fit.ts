import { exp } from "./elementary/exponential.js";
import { square } from "./elementary/powers.js";
import { solveSymmetric } from "./solve-symmetric.js";

/**
 * Fits people's ratings by a monotone logistic function of a metric's scores, as studies of image
 * quality do before they correlate the two: f(x) = b2 + (b1 - b2) / (1 + exp(-(x - b3) / |b4|)), by least
 * squares (Levenberg and Marquardt), begun at the ratings' extremes and the scores' mean and spread. VQEG,
 * "Final Report on the Validation of Objective Models of Video Quality Assessment, Phase II" (2003), 5.
 *
 * @returns f of each score; undefined from fewer than five rows, and where a column does not vary.
 */
export function logisticFit(
  scores: ArrayLike<number>,
  ratings: ArrayLike<number>,
): Float64Array | undefined {
  const n = scores.length;
  const x = standardised(scores);
  const y = standardised(ratings);
  if (n < 5 || x === undefined || y === undefined) return undefined;
  const rises = x.reduce((sum, value, row) => sum + value * (y[row] ?? 0), 0) >= 0;
  const [least, most] = [y.reduce((a, b) => Math.min(a, b)), y.reduce((a, b) => Math.max(a, b))];
  let parameters = rises ? [most, least, 0, 1] : [least, most, 0, 1];
  let loss = lossOf(parameters, x, y);
  let damping = 1e-3;
  for (let round = 0; round < mostRounds && damping < 1e12; round++) {
    const step = stepOf(parameters, { x, y, damping });
    const next = step && parameters.map((value, at) => value + (step[at] ?? 0));
    const nextLoss = next === undefined ? Number.NaN : lossOf(next, x, y);
    if (next === undefined || !(nextLoss < loss)) {
      damping *= 10;
      continue;
    }
    const gained = loss - nextLoss;
    [parameters, loss, damping] = [next, nextLoss, damping / 10];
    if (gained <= 1e-14 * n) break;
  }
  return x.map((value) => logistic(parameters, value).value);
}

const mostRounds = 500;

/** Mean 0 and variance 1; undefined where nothing varies. */
function standardised(values: ArrayLike<number>): Float64Array | undefined {
  const all = Float64Array.from(values);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  const spread = Math.sqrt(all.reduce((sum, value) => sum + square(value - mean), 0) / all.length);
  return spread > 0 && Number.isFinite(spread)
    ? all.map((value) => (value - mean) / spread)
    : undefined;
}

/** The function, and its derivatives by the four parameters. */
function logistic([top = 0, bottom = 0, middle = 0, width = 1]: readonly number[], x: number) {
  const slope = Math.max(Math.abs(width), 1e-9);
  const share = 1 / (1 + exp(-(x - middle) / slope));
  const steep = ((top - bottom) * share * (1 - share)) / slope;
  const sign = width < 0 ? -1 : 1;
  return {
    value: bottom + (top - bottom) * share,
    moves: [share, 1 - share, -steep, (-steep * sign * (x - middle)) / slope],
  };
}

const lossOf = (parameters: readonly number[], x: Float64Array, y: Float64Array) =>
  x.reduce((sum, value, row) => sum + square((y[row] ?? 0) - logistic(parameters, value).value), 0);

function stepOf(
  parameters: readonly number[],
  {
    x,
    y,
    damping,
  }: { readonly x: Float64Array; readonly y: Float64Array; readonly damping: number },
): Float64Array | undefined {
  const size = parameters.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let row = 0; row < x.length; row++) {
    const { value, moves } = logistic(parameters, x[row] ?? 0);
    for (let one = 0; one < size; one++) {
      right[one] = (right[one] ?? 0) + (moves[one] ?? 0) * ((y[row] ?? 0) - value);
      for (let other = 0; other < size; other++) {
        const at = one * size + other;
        matrix[at] = (matrix[at] ?? 0) + (moves[one] ?? 0) * (moves[other] ?? 0);
      }
    }
  }
  for (let one = 0; one < size; one++) {
    const at = one * size + one;
    matrix[at] = (matrix[at] ?? 0) * (1 + damping) + 1e-12;
  }
  return solveSymmetric(matrix, right);
}

/** Keeps the curve finite where scores part answers wholly: the precision of a normal prior of both coefficients. */
const prior = 0.1;

/**
 * Fits 1 / (1 + exp(-(a + b x))) to shares in [0, 1], x being the scores made of mean 0 and variance 1, by Newton's
 * method on the likelihood and a weak prior (McCullagh and Nelder, "Generalized Linear Models" (1989), 4.4).
 *
 * @param shares what was seen of each score; null where nothing was.
 * @returns the curve at each score.
 */
export function logisticRegression(
  scores: readonly number[],
  shares: readonly (number | null)[],
): Float64Array {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) * (score - mean), 0);
  const spread = Math.sqrt(squares / scores.length);
  const x = Float64Array.from(scores, (score) => (spread > 0 ? (score - mean) / spread : 0));
  let [a, b] = [0, 0];
  const at = (z: number) => 1 / (1 + exp(-(a + b * z)));
  for (let round = 0; round < 50; round++) {
    let [moveA, moveB, ofA, ofBoth, ofB] = [-prior * a, -prior * b, prior, 0, prior];
    for (const [row, share] of shares.entries()) {
      if (share === null) continue;
      const z = x[row] ?? 0;
      const found = at(z);
      const weight = found * (1 - found);
      moveA += share - found;
      moveB += (share - found) * z;
      ofA += weight;
      ofBoth += weight * z;
      ofB += weight * z * z;
    }
    const size = ofA * ofB - ofBoth * ofBoth;
    const step = [(ofB * moveA - ofBoth * moveB) / size, (ofA * moveB - ofBoth * moveA) / size];
    const [stepA = 0, stepB = 0] = step;
    // A longer step can overshoot.
    const most = Math.max(1, Math.abs(stepA), Math.abs(stepB));
    a += stepA / most;
    b += stepB / most;
    if (Math.abs(stepA) + Math.abs(stepB) < 1e-10) break;
  }
  return x.map(at);
}
