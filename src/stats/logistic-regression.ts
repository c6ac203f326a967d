import { exp } from "./elementary/exponential.js";

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
