import { exp } from "../stats/elementary/exponential.js";
import { log } from "../stats/elementary/logarithm.js";
import { chosenRows, type LabelTables, sumOverLabels, valueOfLabels } from "./label-products.js";
import { softmaxInPlace } from "./softmax.js";
import type { WeightProblem } from "./weight-problem.js";

/** Weights with the value that they reach, and a bound on how far the best value lies above it. */
export interface MixtureFit {
  readonly value: number;
  /** sum_z [max_a G_za - sum_a w_za G_za], G the gradient: no weights reach more than value + gap. */
  readonly gap: number;
  readonly iterations: number;
  /** 1 / the likelihood of each chosen label at the best, in logarithms: a start for a like problem. */
  readonly dual: Float64Array;
}

export interface MixtureOptions {
  readonly lambda: number;
  /** Ends when the gap is at most this; default 1e-8. */
  readonly tolerance?: number | undefined;
  /** The `dual` of a problem with as many chosen labels. */
  readonly start?: Float64Array | undefined;
}

/** Ends after as many steps, whatever the gap. */
const mostIterations = 200;

/**
 * Writes the weights that maximise sum_j log m_j + lambda sum_z H(w_z), m_j = sum_z r_jz sum_a w_za
 * p_ja, to a certified gap. The objective is concave. Where mirror ascent rests, log w_za = sum_j
 * r_jz p_ja / (lambda m_j) up to a constant of z: the weights are known from one number for each label.
 * So it is those numbers, u_j = -log m_j, that are sought: the minimum of the convex dual
 * D(u) = sum_j (-u_j - 1) + lambda sum_z log sum_a exp(sum_j e^u_j r_jz p_ja / lambda), by Newton's
 * method with backtracking, its equations solved by conjugate gradients. A step costs a few passes
 * over labels x groups x prompts, and some five of them do where mirror ascent takes thousands.
 *
 * @param weights where they go: groups x prompts.
 */
export function mixtureWeights(
  problem: WeightProblem,
  { lambda, tolerance = 1e-8, start }: MixtureOptions,
  weights: Float64Array,
): MixtureFit {
  const dual = new MixtureDual(problem, lambda, weights);
  const { count } = dual;
  if (start !== undefined && start.length === count) dual.u.set(start);
  else dual.startUniform();
  let value = dual.evaluate(dual.u);
  let iteration = 0;
  let gap = dual.gap();
  while (gap > tolerance && iteration < mostIterations) {
    iteration += 1;
    const slope = dual.newtonStep();
    let step = 1;
    // What rounding alone makes of a sum as large as the dual's.
    const noise = 1e-14 * (1 + Math.abs(value)) * (1 + count);
    let next = dual.evaluateAt(step);
    while (!(next <= value + 1e-4 * step * slope + noise) && step > 1e-10) {
      step /= 2;
      next = dual.evaluateAt(step);
    }
    dual.u.set(dual.trial);
    value = next;
    gap = dual.gap();
    if (step <= 1e-10) break;
  }
  return { value: dual.primal(), gap, iterations: iteration, dual: dual.u };
}

/**
 * The least that a label adds to the curvature: at the best it is 1, and where it is next to nothing a
 * step would lead beyond all numbers.
 */
const leastCurvature = 0.25;

/** The dual at `u`, with the weights that belong to it; all of its memory is taken once. */
class MixtureDual {
  readonly count: number;
  readonly u: Float64Array;
  readonly trial: Float64Array;
  readonly direction: Float64Array;
  readonly #problem: WeightProblem;
  readonly #lambda: number;
  readonly #weights: Float64Array;
  /** Likelihoods of the chosen labels, the largest of each label made 1: a label nobody held then weighs nothing. */
  readonly #tables: LabelTables;
  /** The tables with each label's membership times a number of its own. */
  readonly #weighted: LabelTables;
  #logScale = 0;
  /** e^u. */
  readonly #inverse: Float64Array;
  /** m_j, the likelihood of each label under the weights. */
  readonly #marginal: Float64Array;
  readonly #residual: Float64Array;
  readonly #search: Float64Array;
  readonly #product: Float64Array;
  readonly #scaled: Float64Array;
  /** groups x prompts. */
  readonly #field: Float64Array;

  constructor(problem: WeightProblem, lambda: number, weights: Float64Array) {
    const { likelihoods, membership, groups, chosen } = problem;
    const { prompts } = likelihoods;
    this.#problem = problem;
    this.#lambda = lambda;
    this.#weights = weights;
    this.count = chosen === undefined ? likelihoods.labels : chosen.length;
    const { count } = this;
    const values = chosenRows(likelihoods.likelihood, prompts, chosen).slice();
    for (let start = 0; start < values.length; start += prompts) {
      const own = values.subarray(start, start + prompts);
      const most = own.reduce((a, b) => Math.max(a, b), 0);
      this.#logScale += log(most);
      for (let prompt = 0; prompt < prompts; prompt++) own[prompt] = (own[prompt] ?? 0) / most;
    }
    const members = chosenRows(membership, groups, chosen);
    this.#tables = { labels: count, groups, prompts, membership: members, values };
    this.#weighted = { ...this.#tables, membership: new Float64Array(members.length) };
    const memory = new Float64Array(8 * count);
    const part = (index: number) => memory.subarray(index * count, (index + 1) * count);
    this.u = new Float64Array(count);
    this.trial = part(0);
    this.direction = part(1);
    this.#inverse = part(2);
    this.#marginal = part(3);
    this.#residual = part(4);
    this.#search = part(5);
    this.#product = part(6);
    this.#scaled = part(7);
    this.#field = new Float64Array(groups * prompts);
  }

  /** Sets u to what belongs to uniform weights. */
  startUniform(): void {
    const { groups, likelihoods } = this.#problem;
    const { prompts, silent } = likelihoods;
    let speaking = 0;
    for (let prompt = 0; prompt < prompts; prompt++) speaking += silent[prompt] === 1 ? 0 : 1;
    for (let at = 0; at < groups * prompts; at++) {
      this.#weights[at] = silent[at % prompts] === 1 ? 0 : 1 / speaking;
    }
    this.#spread(this.#weights, this.#marginal);
    for (let at = 0; at < this.count; at++) this.u[at] = -log(this.#marginal[at] ?? 1);
  }

  evaluateAt(step: number): number {
    for (let at = 0; at < this.count; at++) {
      this.trial[at] = (this.u[at] ?? 0) + step * (this.direction[at] ?? 0);
    }
    return this.evaluate(this.trial);
  }

  /** D(u); sets the weights and the marginals that belong to u. */
  evaluate(u: Float64Array): number {
    const { groups, likelihoods } = this.#problem;
    const { prompts, silent } = likelihoods;
    let value = 0;
    for (let at = 0; at < this.count; at++) {
      this.#inverse[at] = exp(u[at] ?? 0);
      value -= (u[at] ?? 0) + 1;
    }
    this.#gather(this.#inverse, this.#weights);
    for (let group = 0; group < groups; group++) {
      for (let prompt = 0; prompt < prompts; prompt++) {
        const at = group * prompts + prompt;
        this.#weights[at] =
          silent[prompt] === 1 ? -Infinity : (this.#weights[at] ?? 0) / this.#lambda;
      }
      value += this.#lambda * softmaxInPlace(this.#weights, group * prompts, prompts);
    }
    this.#spread(this.#weights, this.#marginal);
    return value;
  }

  /**
   * Sets the direction to the solution of H d = -gradient.
   *
   * @returns the slope along it, negative.
   */
  newtonStep(): number {
    for (let at = 0; at < this.count; at++) {
      // The gradient is e^u m - 1.
      this.#residual[at] = 1 - this.#ratio(at);
    }
    this.#conjugateGradients();
    let slope = 0;
    for (let at = 0; at < this.count; at++) {
      slope -= (this.direction[at] ?? 0) * (1 - this.#ratio(at));
    }
    return slope;
  }

  /** The direction, roughly where the gradient is large. */
  #conjugateGradients(): void {
    const { count, direction } = this;
    const residual = this.#residual;
    const search = this.#search;
    const product = this.#product;
    direction.fill(0);
    let first = 0;
    for (let at = 0; at < count; at++) {
      search[at] = (residual[at] ?? 0) / this.#curvature(at);
      first += (residual[at] ?? 0) * (search[at] ?? 0);
    }
    let size = first;
    const wanted = first * Math.min(0.01, Math.max(1e-4, first));
    for (let round = 0; round < 2 * count + 10 && size > wanted && size > 1e-300; round++) {
      this.#hessianTimes(search, product);
      let curvature = 0;
      for (let at = 0; at < count; at++) curvature += (search[at] ?? 0) * (product[at] ?? 0);
      const length = size / curvature;
      let next = 0;
      for (let at = 0; at < count; at++) {
        direction[at] = (direction[at] ?? 0) + length * (search[at] ?? 0);
        const left = (residual[at] ?? 0) - length * (product[at] ?? 0);
        residual[at] = left;
        next += (left * left) / this.#curvature(at);
      }
      const turn = next / size;
      for (let at = 0; at < count; at++) {
        search[at] = (residual[at] ?? 0) / this.#curvature(at) + turn * (search[at] ?? 0);
      }
      size = next;
    }
  }

  /** The gap of the weights at hand. Of G only what depends on the prompt is needed. */
  gap(): number {
    const { groups, likelihoods } = this.#problem;
    const { prompts, silent } = likelihoods;
    for (let at = 0; at < this.count; at++) {
      this.#scaled[at] = 1 / (this.#marginal[at] ?? 1) - (this.#inverse[at] ?? 0);
    }
    this.#gather(this.#scaled, this.#field);
    let gap = 0;
    for (let group = 0; group < groups; group++) {
      let most = -Infinity;
      let mean = 0;
      for (let prompt = 0; prompt < prompts; prompt++) {
        if (silent[prompt] === 1) continue;
        const slope = this.#field[group * prompts + prompt] ?? 0;
        most = Math.max(most, slope);
        mean += (this.#weights[group * prompts + prompt] ?? 0) * slope;
      }
      gap += Math.max(0, most - mean);
    }
    return gap;
  }

  /** The objective at the weights at hand. */
  primal(): number {
    let value = this.#logScale;
    for (const marginal of this.#marginal) value += log(marginal);
    for (const weight of this.#weights) {
      if (weight > 0) value -= this.#lambda * weight * log(weight);
    }
    return value;
  }

  #curvature(at: number): number {
    return Math.max(leastCurvature, this.#ratio(at));
  }

  /** The gradient, and 1. */
  #ratio(at: number): number {
    return (this.#inverse[at] ?? 0) * (this.#marginal[at] ?? 0);
  }

  /** The dual's second derivative, diag(e^u m), at least a little, + e^u e^u' Cov / lambda, times a vector. */
  #hessianTimes(vector: Float64Array, into: Float64Array): void {
    const { groups, likelihoods } = this.#problem;
    const { prompts } = likelihoods;
    for (let at = 0; at < this.count; at++) {
      this.#scaled[at] = (this.#inverse[at] ?? 0) * (vector[at] ?? 0);
    }
    this.#gather(this.#scaled, this.#field);
    for (let group = 0; group < groups; group++) {
      const start = group * prompts;
      let mean = 0;
      for (let at = start; at < start + prompts; at++) {
        mean += (this.#weights[at] ?? 0) * (this.#field[at] ?? 0);
      }
      for (let at = start; at < start + prompts; at++) {
        this.#field[at] =
          ((this.#weights[at] ?? 0) * ((this.#field[at] ?? 0) - mean)) / this.#lambda;
      }
    }
    this.#spread(this.#field, into);
    for (let at = 0; at < this.count; at++) {
      into[at] =
        this.#curvature(at) * (vector[at] ?? 0) + (this.#inverse[at] ?? 0) * (into[at] ?? 0);
    }
  }

  /** into_za = sum_j values_j r_jz p_ja. */
  #gather(values: Float64Array, into: Float64Array): void {
    const { groups, membership } = this.#tables;
    const weighted = this.#weighted.membership;
    for (let label = 0; label < this.count; label++) {
      const value = values[label] ?? 0;
      for (let at = label * groups; at < (label + 1) * groups; at++) {
        weighted[at] = value * (membership[at] ?? 0);
      }
    }
    sumOverLabels(this.#weighted, into);
  }

  /** into_j = sum_z r_jz sum_a field_za p_ja. */
  #spread(field: Float64Array, into: Float64Array): void {
    valueOfLabels(this.#tables, field, into);
  }
}
