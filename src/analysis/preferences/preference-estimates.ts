import { largestOf } from "../../core/extremes.js";
import { randomFrom } from "../../core/random.js";
import type { BradleyTerry, PairedCount } from "../../stats/bradley-terry.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceMargin, influenceSpread } from "../../stats/influence-error.js";
import {
  type Interval,
  type IntervalMethod,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import {
  type Compared,
  firstShare,
  type PreferenceClusters,
  shares,
  weightedCounts,
} from "./preference-cells.js";
import { sharedError } from "./shared-error.js";

/** Half the width of a 95 % interval, in standard errors. */
const z = 1.959963984540054;

/** If more resamples than this share have no strengths, a bound of the interval would be infinite. */
const mostWithout = 0.025;

/**
 * Values and intervals of all that is concluded of comparisons, from the same resamples: strengths, how
 * far each lies behind the strongest, win rates of pairs, and how often the first shown was preferred.
 *
 * @param options.strengthsOf strengths by the counts of pairs; undefined where there are none.
 * @returns strengths and what lies behind undefined where the counts give none.
 */
export function preferenceEstimates(
  compared: Compared,
  options: {
    readonly strengthsOf: (pairs: readonly PairedCount[]) => BradleyTerry | undefined;
    readonly models: number;
    readonly clusters: PreferenceClusters;
    readonly method: IntervalMethod;
  },
) {
  const { strengthsOf, models, method } = options;
  const { clusters } = options.clusters;
  const { cells, places, pairs } = compared;
  const fitted = strengthsOf(pairs);
  const strongest = fitted?.strengths.indexOf(largestOf(fitted.strengths)) ?? 0;
  const unknown = new Float64Array(models).fill(Number.NaN);
  const countsOf = weightedCounts(compared);
  const valuesOf = (weights?: Float64Array) => {
    const { pairs: counts, firstShown } = countsOf(weights);
    const found = weights === undefined ? fitted : fitted && strengthsOf(counts);
    const strengths = [...(found?.strengths ?? unknown)];
    const top = strengths[strongest] ?? Number.NaN;
    return [
      ...strengths,
      ...strengths.map((strength) => top - strength),
      ...counts.map(({ wins, losses, ties }) => (wins + ties / 2) / (wins + losses + ties)),
      firstShown,
    ];
  };
  const values = valuesOf();
  const cluster = Int32Array.from(cells, (cell) => cell.cluster);
  const drawn = { cluster, clusters };
  const shared = sharedError(options.clusters, cells);
  const marginOf = (influence: Float64Array) =>
    shared === undefined
      ? influenceMargin(
          method.method === "t" ? "t" : "delta",
          influenceSpread(influence, cluster, clusters),
        )
      : z * shared(influence);
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
      cells.length === 0 || firstShown === undefined
        ? undefinedEstimate("no row has a preference")
        : firstShown,
  };
}

const itself: Estimate = { value: 0, low: 0, high: 0 };

interface Drawn {
  readonly values: readonly number[];
  /** The cluster of each cell. */
  readonly cluster: Int32Array;
  readonly clusters: number;
}

function resampledIntervals(
  valuesOf: (weights: Float64Array) => readonly number[],
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
    /** Half the width of an interval. */
    marginOf(influence: Float64Array): number;
    readonly fitted: BradleyTerry | undefined;
    readonly strongest: number;
    readonly models: number;
  },
): (at: number) => Interval {
  const all = cells.reduce((sum, { count }) => sum + count, 0);
  const influences = values.map(() => new Float64Array(cells.length));
  for (const [row, cell] of cells.entries()) {
    const { a = 0, b = 0 } = places[cell.pair] ?? {};
    const { wins = 0, losses = 0, ties = 0 } = pairs[cell.pair] ?? {};
    const strengths = fitted?.influence(a, b, cell.outcome) ?? new Float64Array(models);
    const moves = [
      ...strengths,
      ...strengths.map((strength) => (strengths[strongest] ?? 0) - strength),
      ...places.map((_, pair) =>
        pair === cell.pair
          ? (shares[cell.outcome] - (values[2 * models + pair] ?? 0)) / (wins + losses + ties)
          : 0,
      ),
      (firstShare(cell) - (values.at(-1) ?? 0)) / all,
    ];
    for (const [at, move] of moves.entries()) {
      const influence = influences[at];
      if (influence !== undefined) influence[row] = move * cell.count;
    }
  }
  return (at) => {
    const margin = marginOf(influences[at] ?? new Float64Array());
    const value = values[at] ?? Number.NaN;
    return [value - margin, value + margin];
  };
}
