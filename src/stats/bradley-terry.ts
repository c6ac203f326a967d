import { largestOf } from "../core/extremes.js";
import { exp } from "./elementary/exponential.js";
import { log } from "./elementary/logarithm.js";
import { square } from "./elementary/square.js";
import { solveSymmetric } from "./solve-symmetric.js";

/** How often two models were compared, by who was preferred. Counts may be fractions. */
export interface PairedCount {
  /** Places of two different models, from 0. */
  readonly a: number;
  readonly b: number;
  /** How often a was preferred, how often b, and how often neither. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

/** How a tie counts: as half a win for each, or as an outcome with a parameter of its own. */
export const tieModels = ["half", "davidson"] as const;
export type TieModel = (typeof tieModels)[number];

export interface BradleyTerry {
  /** The log odds of each model, mean 0: a is preferred to b with odds exp(a - b), ties apart. */
  readonly strengths: Float64Array;
  /** Davidson's nu: how common ties are, 0 without any; undefined where a tie is half a win. */
  readonly nu: number | undefined;
  /**
   * By how much one comparison more moves each strength, to first order: what standard errors are made
   * of.
   */
  influence(a: number, b: number, outcome: "a" | "b" | "tie"): Float64Array;
}

/**
 * Strengths of models by the comparisons of pairs of them that make these likeliest. A tie is half a win
 * for each: P(a) = e^a / (e^a + e^b) (Bradley and Terry 1952, Biometrika 39). With `ties: "davidson"` it
 * is an outcome of its own: P(a), P(b) and P(tie) go as e^a, e^b and nu e^((a + b) / 2) (Davidson 1970,
 * JASA 65). Newton's method; both likelihoods are concave.
 *
 * @returns undefined where the likelihood has no highest point: where some models never lost to the
 *   others (Ford 1957; `unbeaten` finds them), or, by Davidson, would rather have infinite strengths.
 * @example
 * bradleyTerry([{ a: 0, b: 1, wins: 3, losses: 1, ties: 0 }], { models: 2 })?.strengths
 *   // Float64Array [0.549…, -0.549…]: half of log 3
 */
export function bradleyTerry(
  counted: readonly PairedCount[],
  { models, ties = "half" }: { readonly models: number; readonly ties?: TieModel },
): BradleyTerry | undefined {
  if (models < 2 || unbeaten(counted, models) !== undefined) return undefined;
  const hasTies = ties === "davidson" && counted.some((pair) => pair.ties > 0);
  const pairs = hasTies ? counted : counted.map(withHalves);
  const size = models + (hasTies ? 1 : 0);
  const parameters = new Float64Array(size);
  let likelihood = logLikelihood(pairs, parameters, models);
  for (let step = 0; step < mostSteps; step++) {
    const { gradient, information } = derivatives(pairs, parameters, models);
    const change = solveSymmetric(information, gradient);
    if (change === undefined) return undefined;
    let share = Math.min(1, 2 / largestOf(change.map(Math.abs)));
    let next = parameters;
    let reached = Number.NEGATIVE_INFINITY;
    for (; share > 1e-6; share /= 2) {
      next = parameters.map((value, at) => value + share * (change[at] ?? 0));
      reached = logLikelihood(pairs, next, models);
      if (reached >= likelihood - slack * Math.abs(likelihood)) break;
    }
    parameters.set(next);
    likelihood = reached;
    if (parameters.some((value) => !(Math.abs(value) < infinite))) return undefined;
    if (change.every((by) => Math.abs(by) < closeEnough)) {
      return fitted(pairs, parameters, { models, ties });
    }
  }
  return undefined;
}

const mostSteps = 200;
const closeEnough = 1e-10;
const slack = 1e-13;
/** Log odds beyond which a strength is taken to have no end. */
const infinite = 35;

const withHalves = ({ wins, losses, ties, ...pair }: PairedCount): PairedCount => ({
  ...pair,
  wins: wins + ties / 2,
  losses: losses + ties / 2,
  ties: 0,
});

/** The chances of the three outcomes; the last parameter is the logarithm of nu, if there are ties. */
function chances({ a, b }: Pick<PairedCount, "a" | "b">, parameters: Float64Array, models: number) {
  const half = ((parameters[a] ?? 0) - (parameters[b] ?? 0)) / 2;
  const even = parameters[models] ?? Number.NEGATIVE_INFINITY;
  const most = Math.max(Math.abs(half), even);
  const [first, second, tied] = [half, -half, even].map((one) => exp(one - most));
  const [forA = 0, forB = 0, forTie = 0] = [first, second, tied];
  const all = forA + forB + forTie;
  return { a: forA / all, b: forB / all, tie: forTie / all };
}

function logLikelihood(
  pairs: readonly PairedCount[],
  parameters: Float64Array,
  models: number,
): number {
  const part = (count: number, chance: number) => (count === 0 ? 0 : count * log(chance));
  return pairs.reduce((sum, pair) => {
    const { a, b, tie } = chances(pair, parameters, models);
    return sum + part(pair.wins, a) + part(pair.losses, b) + part(pair.ties, tie);
  }, 0);
}

/** The Hessian of the log-likelihood. All strengths may move together, which 1 / models in each cell forbids. */
function derivatives(pairs: readonly PairedCount[], parameters: Float64Array, models: number) {
  const size = parameters.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  const add = (into: Float64Array, at: number, by: number) => {
    into[at] = (into[at] ?? 0) + by;
  };
  for (const pair of pairs) {
    const { a, b, wins, losses, ties } = pair;
    const chance = chances(pair, parameters, models);
    const n = wins + losses + ties;
    const ahead = (wins - losses - n * (chance.a - chance.b)) / 2;
    const spread = (n * (chance.a + chance.b - square(chance.a - chance.b))) / 4;
    add(gradient, a, ahead);
    add(gradient, b, -ahead);
    add(information, a * size + a, spread);
    add(information, b * size + b, spread);
    add(information, a * size + b, -spread);
    add(information, b * size + a, -spread);
    if (size === models) continue;
    const shared = (-n * chance.tie * (chance.a - chance.b)) / 2;
    add(gradient, models, ties - n * chance.tie);
    add(information, models * size + models, n * chance.tie * (1 - chance.tie));
    for (const [at, by] of [
      [a, shared],
      [b, -shared],
    ] as const) {
      add(information, at * size + models, by);
      add(information, models * size + at, by);
    }
  }
  for (let row = 0; row < models; row++) {
    for (let column = 0; column < models; column++) {
      add(information, row * size + column, 1 / models);
    }
  }
  return { gradient, information };
}

function fitted(
  pairs: readonly PairedCount[],
  parameters: Float64Array,
  { models, ties }: { readonly models: number; readonly ties: TieModel },
): BradleyTerry {
  const { information } = derivatives(pairs, parameters, models);
  const even = parameters[models];
  const isHalf = parameters.length === models;
  return {
    strengths: parameters.slice(0, models),
    nu: ties === "half" ? undefined : exp(even ?? Number.NEGATIVE_INFINITY),
    influence(a, b, outcome) {
      const one = { a, b, wins: 0, losses: 0, ties: 0 };
      const count = { ...one, [({ a: "wins", b: "losses", tie: "ties" } as const)[outcome]]: 1 };
      const { gradient } = derivatives([isHalf ? withHalves(count) : count], parameters, models);
      const moves = solveSymmetric(information, gradient) ?? new Float64Array(parameters.length);
      return moves.slice(0, models);
    },
  };
}

/**
 * The fewest models that never lost to the others, nor tied with one; undefined where there are none:
 * the graph of wins is strongly connected, and strengths are finite.
 *
 * @returns their places.
 * @example unbeaten([{ a: 0, b: 1, wins: 2, losses: 0, ties: 0 }], 2) // [0]
 */
export function unbeaten(pairs: readonly PairedCount[], models: number): number[] | undefined {
  const beatenBy = Array.from({ length: models }, (): number[] => []);
  for (const { a, b, wins, losses, ties } of pairs) {
    if (wins + ties > 0) beatenBy[b]?.push(a);
    if (losses + ties > 0) beatenBy[a]?.push(b);
  }
  let fewest: number[] | undefined;
  for (let model = 0; model < models; model++) {
    const above = new Set([model]);
    for (const one of above) for (const better of beatenBy[one] ?? []) above.add(better);
    if (above.size < (fewest?.length ?? models))
      fewest = [...above].sort((one, other) => one - other);
  }
  return fewest;
}
