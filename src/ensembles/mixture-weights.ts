import { exp } from "../stats/elementary/exponential.js";
import { log } from "../stats/elementary/logarithm.js";
import { Extrapolation, type MappedPoint } from "./extrapolation.js";
import { chosenRows, type LabelProducts } from "./label-products.js";
import { labelProducts } from "./paired-products.js";
import { softmaxInPlace } from "./softmax.js";
import type { WeightProblem } from "./weight-problem.js";

/** Weights with the value that they reach, and a bound on how far the best value lies above it. */
export interface MixtureFit {
  readonly value: number;
  /** sum_z [max_a G_za - sum_a w_za G_za], G the gradient: no weights reach more than value + gap. */
  readonly gap: number;
  /** 1 / the likelihood of each chosen label at the best, in logarithms: a start for a like problem. */
  readonly dual: Float64Array;
}

export interface MixtureOptions {
  readonly lambda: number;
  /** Ends when the gap is at most this, or `roundingGap` where that is more; default 1e-8. */
  readonly tolerance?: number | undefined;
  /** The `dual` of a problem with as many chosen labels. */
  readonly start?: Float64Array | undefined;
}

/** Ends after so many values of the dual, whatever the gap. */
const mostEvaluations = 2000;
/** Ends after so many in a row that led no nearer: rounding alone moves them. */
const mostInVain = 100;

/** Where lambda is so small that the way down is lost, the best of so many times larger ones leads there. */
const largerFirst = [243, 81, 27, 9, 3];

/** A gap that rounding leaves in sums over labels; above 1e-8 only from some thousands on. */
export const roundingGap = (labels: number, value: number): number =>
  8 * Number.EPSILON * labels * Math.abs(value);

/**
 * Writes the weights that maximise sum_j log m_j + lambda sum_z H(w_z), m_j = sum_z r_jz sum_a w_za
 * p_ja, to a certified gap. The objective is concave. Where mirror ascent rests, log w_za = sum_j
 * r_jz p_ja / (lambda m_j) up to a constant of z: the weights are known from one number for each label.
 * So it is those numbers, u_j = -log m_j, that are sought: the minimum of the convex dual
 * D(u) = sum_j (-u_j - 1) + lambda sum_z log sum_a exp(sum_j e^u_j r_jz p_ja / lambda). From any u the
 * residual -log m(u) - u leads down. Steps along it are extrapolated from those before; one that leads up
 * is not taken, and makes the next ones shorter.
 *
 * @param weights where they go: groups x prompts.
 */
export function mixtureWeights(
  problem: WeightProblem,
  { lambda, tolerance = 1e-8, start }: MixtureOptions,
  weights: Float64Array,
): MixtureFit {
  const dual = new MixtureDual(problem, weights);
  const direct = descended(dual, { lambda, tolerance, start });
  if (direct.gap <= Math.max(tolerance, roundingGap(dual.count, direct.value))) return direct;
  let nearer: MixtureFit | undefined;
  for (const times of largerFirst) {
    nearer = descended(dual, { lambda: times * lambda, tolerance: 1e-2, start: nearer?.dual });
  }
  const led = descended(dual, { lambda, tolerance, start: nearer?.dual });
  if (led.gap < direct.gap) return led;
  dual.evaluate(direct.dual);
  return direct;
}

/** The way down at one lambda; the weights at its end are at hand. */
function descended(
  dual: MixtureDual,
  { lambda, tolerance, start }: MixtureOptions & { readonly tolerance: number },
): MixtureFit {
  dual.lambda = lambda;
  const before = new Extrapolation();
  let step = 1;
  let now = dual.evaluate(start?.length === dual.count ? start : dual.ofUniform());
  let nearest = now;
  const enough = () => Math.max(tolerance, roundingGap(dual.count, now.value));
  // The gap is about a third of the distance; to know it takes half as long as an evaluation.
  const gapIfSmall = () => (now.distance <= 4 * enough() ? dual.gap() : Infinity);
  let gap = gapIfSmall();
  let inVain = 0;
  for (let left = mostEvaluations; left > 0 && inVain < mostInVain && gap > enough(); left--) {
    const next = dual.evaluate(before.next(now, step));
    // What rounding alone makes of a sum as large as the dual's.
    const noise = 1e-14 * (1 + Math.abs(now.value)) * (1 + dual.count);
    inVain++;
    if (next.value <= now.value + noise) {
      before.remember(now, next, step);
      now = next;
      gap = gapIfSmall();
      if (now.distance < nearest.distance || now.value < nearest.value - noise) {
        nearest = now;
        inVain = 0;
      }
    } else if (before.isEmpty) step /= 2;
    else before.clear();
  }
  if (gap > enough()) {
    now = dual.evaluate(nearest.at);
    gap = dual.gap();
  }
  return { value: dual.primal(), gap, dual: now.at };
}

interface DualPoint extends MappedPoint {
  /** D(u). */
  readonly value: number;
  /** The sum of the residual's absolute values. */
  readonly distance: number;
}

/** The dual, with the weights that belong to the point where it was evaluated last. */
class MixtureDual {
  lambda = 1;
  readonly count: number;
  readonly #problem: WeightProblem;
  readonly #weights: Float64Array;
  readonly #products: LabelProducts;
  /** e^u. */
  readonly #inverse: Float64Array;
  /** m_j, the likelihood of each label under the weights. */
  readonly #marginal: Float64Array;

  constructor(problem: WeightProblem, weights: Float64Array) {
    const { likelihoods, membership, groups, chosen } = problem;
    const { prompts } = likelihoods;
    this.#problem = problem;
    this.#weights = weights;
    this.count = chosen === undefined ? likelihoods.labels : chosen.length;
    this.#products = labelProducts({
      labels: this.count,
      groups,
      prompts,
      membership: chosenRows(membership, groups, chosen),
      values: chosenRows(likelihoods.likelihood, prompts, chosen),
    });
    this.#inverse = new Float64Array(this.count);
    this.#marginal = new Float64Array(this.count);
  }

  /** What belongs to uniform weights. */
  ofUniform(): Float64Array {
    const { prompts, silent } = this.#problem.likelihoods;
    const speaking = silent.reduce((sum, isSilent) => sum + 1 - isSilent, 0);
    for (let at = 0; at < this.#weights.length; at++) {
      this.#weights[at] = silent[at % prompts] === 1 ? 0 : 1 / speaking;
    }
    this.#products.valueOfLabels(this.#weights, this.#marginal);
    return this.#marginal.map((marginal) => -log(marginal));
  }

  evaluate(u: Float64Array): DualPoint {
    const { groups, likelihoods } = this.#problem;
    const { prompts, silent } = likelihoods;
    const weights = this.#weights;
    const inverse = this.#inverse;
    const marginal = this.#marginal;
    let value = -this.count;
    for (let label = 0; label < inverse.length; label++) {
      const own = u[label] ?? 0;
      inverse[label] = exp(own);
      value -= own;
    }
    this.#products.sumOverLabels(inverse, weights);
    for (let group = 0, at = 0; group < groups; group++) {
      for (let prompt = 0; prompt < prompts; prompt++, at++) {
        weights[at] = silent[prompt] === 1 ? -Infinity : (weights[at] ?? 0) / this.lambda;
      }
      value += this.lambda * softmaxInPlace(weights, at - prompts, prompts);
    }
    this.#products.valueOfLabels(weights, marginal);
    const residual = new Float64Array(this.count);
    let distance = 0;
    for (let label = 0; label < residual.length; label++) {
      const own = -log(marginal[label] ?? 0) - (u[label] ?? 0);
      residual[label] = own;
      distance += Math.abs(own);
    }
    return { at: u, value, residual, distance };
  }

  /** The gap of the weights at hand. Of G only what depends on the prompt is needed. */
  gap(): number {
    const { prompts, silent } = this.#problem.likelihoods;
    const slopes = new Float64Array(this.#weights.length);
    const apart = this.#marginal.map(
      (marginal, label) => 1 / marginal - (this.#inverse[label] ?? 0),
    );
    this.#products.sumOverLabels(apart, slopes);
    let gap = 0;
    for (let start = 0; start < slopes.length; start += prompts) {
      let most = -Infinity;
      let mean = 0;
      for (let prompt = 0; prompt < prompts; prompt++) {
        if (silent[prompt] === 1) continue;
        const slope = slopes[start + prompt] ?? 0;
        most = Math.max(most, slope);
        mean += (this.#weights[start + prompt] ?? 0) * slope;
      }
      gap += Math.max(0, most - mean);
    }
    return gap;
  }

  /** The objective at the weights at hand. */
  primal(): number {
    let value = 0;
    for (const marginal of this.#marginal) value += log(marginal);
    for (const weight of this.#weights) {
      if (weight > 0) value -= this.lambda * weight * log(weight);
    }
    return value;
  }
}
