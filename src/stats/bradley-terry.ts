import { largestOf } from "../core/arrays.js";
import { once } from "../core/cache.js";
import { exp } from "./elementary/exponential.js";
import { log } from "./elementary/logarithm.js";
import { square } from "./elementary/powers.js";
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

/** The same of many pairs, in columns: what a resample counts without an object for each pair. */
export interface PairedCounts {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly wins: Float64Array;
  readonly losses: Float64Array;
  readonly ties: Float64Array;
}

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
export const bradleyTerry = (
  counted: readonly PairedCount[],
  options: { readonly models: number; readonly ties?: TieModel },
): BradleyTerry | undefined => bradleyTerryOf(pairedCounts(counted), options);

export const pairedCounts = (counted: readonly PairedCount[]): PairedCounts => ({
  a: Int32Array.from(counted, ({ a }) => a),
  b: Int32Array.from(counted, ({ b }) => b),
  wins: Float64Array.from(counted, ({ wins }) => wins),
  losses: Float64Array.from(counted, ({ losses }) => losses),
  ties: Float64Array.from(counted, ({ ties }) => ties),
});

/**
 * As `bradleyTerry`, from columns.
 *
 * @param options.start strengths of counts that are alike: a resample is fitted in fewer steps from those of
 *   all rows. They change no result beyond rounding.
 */
export function bradleyTerryOf(
  counted: PairedCounts,
  {
    models,
    ties = "half",
    start,
  }: {
    readonly models: number;
    readonly ties?: TieModel | undefined;
    readonly start?: BradleyTerry | undefined;
  },
): BradleyTerry | undefined {
  if (models < 2 || !isConnected(counted, models)) return undefined;
  const hasTies = ties === "davidson" && counted.ties.some((count) => count > 0);
  const pairs = hasTies ? counted : withHalves(counted);
  const parameters = new Float64Array(models + (hasTies ? 1 : 0));
  parameters.set(start?.strengths ?? []);
  if (hasTies && start?.nu) parameters[models] = log(start.nu);
  for (let step = 0; step < mostSteps; step++) {
    const { gradient, information } = derivatives(pairs, parameters, models);
    const change = solveSymmetric(information, gradient);
    if (change === undefined) return undefined;
    const largest = largestOf(change.map(Math.abs));
    parameters.set(
      largest <= surelyBetter
        ? moved(parameters, change, 1)
        : uphill(pairs, { parameters, change, models, share: Math.min(1, 2 / largest) }),
    );
    const hasEnd = parameters.every((value, at) => {
      return at < models ? Math.abs(value) < infinite : value < infiniteTies;
    });
    if (!hasEnd) return undefined;
    if (largest < closeEnough) return fitted(pairs, parameters, { models, ties });
  }
  return undefined;
}

const mostSteps = 200;
const closeEnough = 1e-10;
const slack = 1e-13;
/** Log odds beyond which a strength is taken to have no end. */
const infinite = 35;
/** log nu beyond which no counts have an end: it takes more ties than millions of rows, and steps drown in rounding. */
const infiniteTies = 16;
/**
 * A step of Newton's that changes no parameter by more is always uphill: no difference of two outcomes then
 * changes by more than 1, within which the curvature grows by less than e (Bach 2010, "Self-concordant
 * analysis for logistic regression", proposition 1).
 */
const surelyBetter = 0.5;

const moved = (parameters: Float64Array, change: Float64Array, share: number) =>
  parameters.map((value, at) => value + share * (change[at] ?? 0));

/** The longest step, from `share` of the change on, that makes the counts no less likely. */
function uphill(
  pairs: PairedCounts,
  {
    parameters,
    change,
    models,
    share,
  }: {
    readonly parameters: Float64Array;
    readonly change: Float64Array;
    readonly models: number;
    readonly share: number;
  },
): Float64Array {
  const likelihood = logLikelihood(pairs, parameters, models);
  const least = likelihood - slack * Math.abs(likelihood);
  for (let part = share; ; part /= 2) {
    const next = moved(parameters, change, part);
    if (part <= 1e-6 || logLikelihood(pairs, next, models) >= least) return next;
  }
}

function withHalves({ wins, losses, ties, ...places }: PairedCounts): PairedCounts {
  const plusHalf = (count: number, at: number) => count + (ties[at] ?? 0) / 2;
  return {
    ...places,
    wins: wins.map(plusHalf),
    losses: losses.map(plusHalf),
    ties: new Float64Array(ties.length),
  };
}

/**
 * Writes the chances of each pair's outcomes at given parameters. The last parameter is the logarithm of nu,
 * if there are ties.
 */
function chancesAt({ a, b }: PairedCounts, parameters: Float64Array, models: number) {
  // Beyond `infinite` no fit goes on, so nothing overflows.
  const roots = parameters.subarray(0, models).map((strength) => exp(strength / 2));
  const nu = exp(parameters[models] ?? Number.NEGATIVE_INFINITY);
  const chance = { a: 0, b: 0, tie: 0 };
  return (pair: number) => {
    const first = roots[a[pair] ?? 0] ?? 0;
    const second = roots[b[pair] ?? 0] ?? 0;
    const forA = first * first;
    const forB = second * second;
    const forTie = nu * first * second;
    const all = forA + forB + forTie;
    chance.a = forA / all;
    chance.b = forB / all;
    chance.tie = forTie / all;
    return chance;
  };
}

function logLikelihood(pairs: PairedCounts, parameters: Float64Array, models: number): number {
  const part = (count: number | undefined, chance: number) => (count ? count * log(chance) : 0);
  const chancesOf = chancesAt(pairs, parameters, models);
  return pairs.a.reduce((sum, _, pair) => {
    const { a, b, tie } = chancesOf(pair);
    const { wins, losses, ties } = pairs;
    return sum + part(wins[pair], a) + part(losses[pair], b) + part(ties[pair], tie);
  }, 0);
}

/** The Hessian of the log-likelihood. All strengths may move together, which 1 / models in each cell forbids. */
function derivatives(pairs: PairedCounts, parameters: Float64Array, models: number) {
  const size = parameters.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  const add = (into: Float64Array, at: number, by: number) => {
    into[at] = (into[at] ?? 0) + by;
  };
  const chancesOf = chancesAt(pairs, parameters, models);
  for (let pair = 0; pair < pairs.a.length; pair++) {
    const a = pairs.a[pair] ?? 0;
    const b = pairs.b[pair] ?? 0;
    const wins = pairs.wins[pair] ?? 0;
    const losses = pairs.losses[pair] ?? 0;
    const ties = pairs.ties[pair] ?? 0;
    const n = wins + losses + ties;
    if (n === 0) continue;
    const chance = chancesOf(pair);
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
    add(information, a * size + models, shared);
    add(information, models * size + a, shared);
    add(information, b * size + models, -shared);
    add(information, models * size + b, -shared);
  }
  for (let row = 0; row < models; row++) {
    for (let column = 0; column < models; column++) {
      add(information, row * size + column, 1 / models);
    }
  }
  return { gradient, information };
}

function fitted(
  pairs: PairedCounts,
  parameters: Float64Array,
  { models, ties }: { readonly models: number; readonly ties: TieModel },
): BradleyTerry {
  const even = parameters[models];
  const isHalf = parameters.length === models;
  const informationOfAll = once(() => derivatives(pairs, parameters, models).information);
  return {
    strengths: parameters.slice(0, models),
    nu: ties === "half" ? undefined : exp(even ?? Number.NEGATIVE_INFINITY),
    influence(a, b, outcome) {
      const one = { a, b, wins: 0, losses: 0, ties: 0 };
      const count = { ...one, [({ a: "wins", b: "losses", tie: "ties" } as const)[outcome]]: 1 };
      const counts = pairedCounts([count]);
      const { gradient } = derivatives(isHalf ? withHalves(counts) : counts, parameters, models);
      const moves = solveSymmetric(informationOfAll(), gradient);
      return (moves ?? new Float64Array(parameters.length)).slice(0, models);
    },
  };
}

/** Whether each model beats, or ties with, each other one along some chain. */
function isConnected({ a, b, wins, losses, ties }: PairedCounts, models: number): boolean {
  const beats = new Uint8Array(models * models);
  for (let pair = 0; pair < a.length; pair++) {
    const [one, other] = [a[pair] ?? 0, b[pair] ?? 0];
    const tied = ties[pair] ?? 0;
    if ((wins[pair] ?? 0) + tied > 0) beats[one * models + other] = 1;
    if ((losses[pair] ?? 0) + tied > 0) beats[other * models + one] = 1;
  }
  const isReached = (leads: (from: number, to: number) => number | undefined) => {
    const reached = new Set([0]);
    for (const from of reached) {
      for (let to = 0; to < models; to++) if (leads(from, to) === 1) reached.add(to);
    }
    return reached.size === models;
  };
  return (
    isReached((from, to) => beats[from * models + to]) &&
    isReached((from, to) => beats[to * models + from])
  );
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
