import { largestOf } from "../core/arrays.js";
import { square } from "./elementary/powers.js";
import { criticalT, studentTPValue } from "./student-t.js";

/** What several studies give together, with 95 % intervals. */
export interface RandomEffects {
  readonly studies: number;
  readonly value: number;
  readonly error: number;
  /** What the error would be were it known how effects vary: 1 / sqrt(sum w). Hartung and Knapp's may be smaller by chance. */
  readonly samplingError: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, of an average effect of 0. */
  readonly p: number;
  /** Variance of true effects between studies. */
  readonly tau2: number;
  /** Where the effect of one more study would lie. */
  readonly prediction: { readonly low: number; readonly high: number };
}

/**
 * Average effect of studies whose true effects differ: tau-squared by restricted maximum likelihood
 * (Viechtbauer 2005), weights w = 1 / (v + tau-squared), the error of the weighted mean by Hartung and Knapp
 * (2001): sum w (y - mean)^2 / ((k - 1) sum w), with Student's t of k - 1 degrees of freedom. The prediction
 * interval is mean +- t sqrt(tau-squared + error^2). The same as metafor's `rma(method = "REML", test = "knha")`.
 *
 * @param effects one for each study.
 * @param variances of the effects' sampling errors, above 0.
 * @returns undefined with fewer than two studies.
 * @example randomEffects([0.6, 0.7, 0.65], [0.01, 0.01, 0.01])?.value // 0.65
 */
export function randomEffects(
  effects: readonly number[],
  variances: readonly number[],
): RandomEffects | undefined {
  const studies = effects.length;
  if (studies < 2) return undefined;
  const tau2 = restrictedVariance(effects, variances);
  const { mean, total, squares } = weighted(effects, variances, tau2);
  const error = Math.sqrt(squares / ((studies - 1) * total));
  const t = criticalT(0.05, studies - 1);
  const reach = t * Math.sqrt(tau2 + square(error));
  return {
    studies,
    value: mean,
    error,
    samplingError: 1 / Math.sqrt(total),
    low: mean - t * error,
    high: mean + t * error,
    p: error === 0 ? Number(mean === 0) : studentTPValue(mean / error, studies - 1),
    tau2,
    prediction: { low: mean - reach, high: mean + reach },
  };
}

/** The root of the restricted likelihood's derivative by bisection; 0 where it falls from there. */
function restrictedVariance(effects: readonly number[], variances: readonly number[]): number {
  // Positive where the likelihood rises with tau-squared.
  const slope = (tau2: number) => {
    const { mean, total } = weighted(effects, variances, tau2);
    let sum = 0;
    let ofSquares = 0;
    for (const [at, effect] of effects.entries()) {
      const weight = 1 / ((variances[at] ?? 0) + tau2);
      sum += square(weight * (effect - mean)) - weight;
      ofSquares += square(weight);
    }
    return sum + ofSquares / total;
  };
  if (!(slope(0) > 0)) return 0;
  let low = 0;
  let high = largestOf(variances);
  while (slope(high) > 0) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

function weighted(effects: readonly number[], variances: readonly number[], tau2: number) {
  const weights = variances.map((variance) => 1 / (variance + tau2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = weights.reduce((sum, weight, at) => sum + weight * (effects[at] ?? 0), 0) / total;
  const squares = weights.reduce(
    (sum, weight, at) => sum + weight * square((effects[at] ?? 0) - mean),
    0,
  );
  return { mean, total, squares };
}
