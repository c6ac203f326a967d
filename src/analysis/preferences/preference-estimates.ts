import { largestOf } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { rowsByCode } from "../../core/row-codes.js";
import type { BradleyTerry, PairedCounts } from "../../stats/bradley-terry.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type Clustering,
  influenceMargin,
  influenceSpread,
  twoWayError,
} from "../../stats/influence-error.js";
import {
  estimate,
  type Interval,
  type IntervalMethod,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import {
  type Compared,
  type ComparedCells,
  outcomes,
  type PreferenceClusters,
  shares,
  weightedCounts,
} from "./preference-cells.js";

/** Half the width of a 95 % interval, in standard errors. */
const z = 1.959963984540054;

/** If more resamples than this share have no strengths, a bound of the interval would be infinite. */
const mostWithout = 0.025;

/**
 * Values and intervals of all that is concluded of comparisons, from the same resamples: strengths, how
 * far each lies behind the strongest, win rates of pairs, and how often the first shown was preferred.
 *
 * @param options.strengthsOf strengths by the counts of pairs, from a start near them where one is known;
 *   undefined where there are none.
 * @returns strengths and what lies behind undefined where the counts give none.
 */
export function preferenceEstimates(
  compared: Compared,
  options: {
    readonly strengthsOf: (counts: PairedCounts, start?: BradleyTerry) => BradleyTerry | undefined;
    /** In place of `strengthsOf`, by the weights of cells, where strengths are not those of the counts of pairs. */
    readonly crowd?: ((weights?: Float64Array) => BradleyTerry | undefined) | undefined;
    readonly models: number;
    readonly clusters: PreferenceClusters;
    readonly method: IntervalMethod;
  },
) {
  const { strengthsOf, crowd, models, method } = options;
  const { clusters } = options.clusters;
  const { cells, places } = compared;
  const countsOf = weightedCounts(compared);
  const fitted = crowd === undefined ? strengthsOf(countsOf().counts) : crowd();
  const strongest = fitted?.strengths.indexOf(largestOf(fitted.strengths)) ?? 0;
  const unknown = new Float64Array(models).fill(Number.NaN);
  const valuesOf = (weights?: Float64Array) => {
    const { counts, firstShown } = countsOf(weights);
    const refitted = () =>
      crowd === undefined ? fitted && strengthsOf(counts, fitted) : crowd(weights);
    const found = weights === undefined ? fitted : refitted();
    const { strengths } = found ?? { strengths: unknown };
    const top = strengths[strongest] ?? Number.NaN;
    const values = new Float64Array(2 * models + places.length + 1);
    values.set(strengths);
    values.set(
      strengths.map((strength) => top - strength),
      models,
    );
    values.set(winRatesOf(counts), 2 * models);
    values[values.length - 1] = firstShown;
    return values;
  };
  const values = valuesOf();
  const { cluster } = cells;
  const drawn = { cluster, clusters };
  const shared = sharedError(options.clusters, cells);
  const marginOf = (influence: Float64Array, some?: Int32Array) => {
    if (shared !== undefined) {
      return (
        z * shared(some === undefined ? influence : spreadOut(influence, some, cluster.length))
      );
    }
    const own =
      some === undefined
        ? { cluster, clusters }
        : consecutive(some.map((cell) => cluster[cell] ?? 0));
    const spread = { ...influenceSpread(influence, own.cluster, own.clusters), clusters };
    return influenceMargin(method.method === "t" ? "t" : "delta", spread);
  };
  const intervalAt =
    method.clusters < 2 || (method.crossedWith?.clusters ?? 2) < 2
      ? () => undefined
      : isByInfluence(method.method)
        ? influenceIntervals(compared, { values, fitted, strongest, models, marginOf })
        : resampledIntervals(valuesOf, { values, method, ...drawn });
  const whenNone = `no interval from one ${method.clusteredBy}`;
  const estimates = (from: number, length: number, within?: readonly [number, number]) =>
    Array.from({ length }, (_, at): Estimate => {
      const cut = within === undefined ? {} : { within };
      return withInterval(values[from + at] ?? Number.NaN, intervalAt(from + at), {
        whenNone,
        ...cut,
      });
    });
  const [firstShown] = estimates(values.length - 1, 1, [0, 1]);
  return {
    strengths: fitted && estimates(0, models),
    behind: fitted && estimates(models, models).map((gap, at) => (at === strongest ? itself : gap)),
    nu: fitted?.nu,
    winRates: estimates(2 * models, places.length, [0, 1]),
    firstShown:
      cluster.length === 0 || firstShown === undefined
        ? undefinedEstimate("no row has a preference")
        : firstShown,
  };
}

const winRatesOf = ({ wins, losses, ties }: PairedCounts) =>
  wins.map((won, pair) => {
    const [lost, tied] = [losses[pair] ?? 0, ties[pair] ?? 0];
    return (won + tied / 2) / (won + lost + tied);
  });

const itself: Estimate = { value: 0, low: 0, high: 0 };

interface Drawn {
  readonly values: Float64Array;
  /** The cluster of each cell. */
  readonly cluster: Int32Array;
  readonly clusters: number;
}

function resampledIntervals(
  valuesOf: (weights: Float64Array) => Float64Array,
  { values, method, ...drawn }: Drawn & { readonly method: IntervalMethod },
): (at: number) => Interval {
  const random = randomFrom(method.seed ?? 0, "preference bootstrap");
  const samples = weightedSamples(valuesOf, { ...drawn, count: values.length, method, random });
  return (at) => {
    const resampled = samples.resampled[at] ?? new Float64Array();
    const without = resampled.filter(Number.isNaN).length / resampled.length;
    if (without <= mostWithout) return sampledInterval(values[at] ?? Number.NaN, samples, at);
    return { reason: `it is undefined in ${(100 * without).toFixed(1)} % of resamples` };
  };
}

function influenceIntervals(
  { cells, places, pairs }: Compared,
  {
    values,
    fitted,
    strongest,
    models,
    marginOf,
  }: Omit<Drawn, "cluster" | "clusters"> & {
    /**
     * Half the width of the interval of a statistic, by how much it moves with each cell, or with some of
     * them and with no other.
     */
    marginOf(influence: Float64Array, some?: Int32Array): number;
    readonly fitted: BradleyTerry | undefined;
    readonly strongest: number;
    readonly models: number;
  },
): (at: number) => Interval {
  const { pair: pairOf, outcome: outcomeOf, isFirst, count } = cells;
  const all = count.reduce((sum, each) => sum + each, 0);
  const movesOf = (cell: number): Float64Array => {
    const pair = pairOf[cell] ?? 0;
    const outcome = outcomes[outcomeOf[cell] ?? 2] ?? "tie";
    const share = shares[outcomeOf[cell] ?? 2] ?? 0;
    const { a = 0, b = 0 } = places[pair] ?? {};
    const { wins = 0, losses = 0, ties = 0 } = pairs[pair] ?? {};
    const strengths = fitted?.influence(a, b, outcome) ?? new Float64Array(models);
    const top = strengths[strongest] ?? 0;
    const winRate = values[2 * models + pair] ?? 0;
    return Float64Array.of(
      ...strengths,
      ...strengths.map((strength) => top - strength),
      (share - winRate) / (wins + losses + ties),
      ((isFirst[cell] === 1 ? share : 1 - share) - (values.at(-1) ?? 0)) / all,
    );
  };
  // Cells of one kind move all alike, whatever their cluster.
  const kinds = new Map<number, number>();
  const moves: Float64Array[] = [];
  const kind = pairOf.map((pair, cell) => {
    const name = (pair * outcomes.length + (outcomeOf[cell] ?? 0)) * 2 + (isFirst[cell] ?? 0);
    const known = kinds.get(name) ?? moves.push(movesOf(cell)) - 1;
    kinds.set(name, known);
    return known;
  });
  const ofPair = cellsByPair(cells, places.length);
  const influenceOf = (place: number, some?: Int32Array) => {
    const move = Float64Array.from(moves, (one) => one[place] ?? 0);
    const one = (cell: number) => (move[kind[cell] ?? 0] ?? 0) * (count[cell] ?? 0);
    return some === undefined ? count.map((_, cell) => one(cell)) : Float64Array.from(some, one);
  };
  const [winRate, firstShown] = [2 * models, 2 * models + 1];
  const marginAt = (at: number) => {
    const own = ofPair[at - 2 * models];
    if (own !== undefined) return marginOf(influenceOf(winRate, own), own);
    return marginOf(influenceOf(at === values.length - 1 ? firstShown : at));
  };
  return (at) => {
    const value = values[at] ?? Number.NaN;
    const margin = marginAt(at);
    return [value - margin, value + margin];
  };
}

function cellsByPair({ pair }: ComparedCells, pairs: number): Int32Array[] {
  const { start, rows } = rowsByCode({ codes: pair, count: pairs });
  return Array.from({ length: pairs }, (_, at) => rows.subarray(start[at], start[at + 1]));
}

/** Numbers the clusters that occur from 0 on. */
function consecutive(occurring: Int32Array) {
  const places = new Map<number, number>();
  for (const one of occurring) if (!places.has(one)) places.set(one, places.size);
  return { cluster: occurring.map((one) => places.get(one) ?? 0), clusters: places.size };
}

/** Puts values in their places, and 0 in all others. */
function spreadOut(values: Float64Array, places: Int32Array, length: number): Float64Array {
  const all = new Float64Array(length);
  for (const [at, place] of places.entries()) all[place] = values[at] ?? 0;
  return all;
}

/** Shares of a pair's comparisons, in [0, 1]: one preferred, the other, neither. */
export interface PreferenceShares {
  readonly a: Estimate;
  readonly b: Estimate;
  readonly tie: Estimate;
}

/** The shares of each pair, with intervals over whole clusters (annotators, where they are named). */
export function preferenceShares(
  { cells, places }: Compared,
  options: { readonly clusters: PreferenceClusters; readonly method: IntervalMethod },
): readonly PreferenceShares[] {
  const { method } = options;
  const { clusters } = options.clusters;
  const errorOf = sharedError(options.clusters, cells);
  if (errorOf !== undefined) return places.map((_, pair) => sharesOf(cells, { pair, errorOf }));
  const table = clusterSums({
    cluster: cells.cluster,
    group: cells.pair,
    columns: [
      ...outcomes.map((_, of) =>
        cells.count.map((count, cell) => (cells.outcome[cell] === of ? count : 0)),
      ),
      cells.count,
    ],
    clusters,
    groups: places.length,
  });
  const whenEmpty = "no row has a preference";
  const found = estimate(
    table,
    places.flatMap((_, pair) =>
      outcomes.map((_, numerator) => ({
        terms: [{ weight: 1, groups: [pair], numerator, denominator: 3, whenEmpty }],
        within: [0, 1] as const,
      })),
    ),
    method,
  );
  const at = (place: number) => found[place] ?? undefinedEstimate(whenEmpty);
  return places.map((_, pair) => ({
    a: at(3 * pair),
    b: at(3 * pair + 1),
    tie: at(3 * pair + 2),
  }));
}

/** The shares of one pair, whose comparisons share annotators and prompts. */
function sharesOf(
  { pair: pairs, outcome: said, count }: ComparedCells,
  { pair, errorOf }: { readonly pair: number; readonly errorOf: SharedError },
): PreferenceShares {
  const own = count.map((each, cell) => (pairs[cell] === pair ? each : 0));
  const all = own.reduce((sum, each) => sum + each, 0);
  const [a, b, tie] = outcomes.map((_, outcome): Estimate => {
    const is = (cell: number) => (said[cell] === outcome ? 1 : 0);
    const share = own.reduce((sum, each, cell) => sum + is(cell) * each, 0) / all;
    const influence = own.map((each, cell) => ((is(cell) - share) * each) / all);
    const margin = z * errorOf(influence);
    return withInterval(share, [share - margin, share + margin], {
      within: [0, 1],
      whenNone: "no interval from one annotator",
    });
  });
  const none = undefinedEstimate("no row has a preference");
  return { a: a ?? none, b: b ?? none, tie: tie ?? none };
}

/** The standard error of a statistic, from by how much it moves with each cell. */
type SharedError = (influence: Float64Array) => number;

/** The standard error of what cells that share annotators and prompts give; undefined where none do. */
function sharedError(
  { ways, cluster, clusters }: PreferenceClusters,
  cells: ComparedCells,
): SharedError | undefined {
  if (ways === undefined) return undefined;
  const both = { cluster: cells.cluster, clusters };
  const ofCells = (way: Clustering): Clustering => {
    const own = new Int32Array(clusters);
    for (const [row, place] of cluster.entries()) own[place] = way.cluster[row] ?? 0;
    return { cluster: both.cluster.map((place) => own[place] ?? 0), clusters: way.clusters };
  };
  const [one, other] = [ofCells(ways.annotator), ofCells(ways.prompt)];
  return (influence) => twoWayError(influence, { one, other, both });
}
