import { randomFrom } from "../core/random.js";
import { bcaInterval } from "../stats/bca-interval.js";
import { influenceError } from "../stats/influence-error.js";
import { percentileInterval } from "../stats/percentile-interval.js";
import { weightedJackknife, weightedResamples } from "../stats/weighted-bootstrap.js";
import { type Measured, measures } from "./correlation-measures.js";
import type { Interval, IntervalMethod } from "./intervals.js";

/** One metric's scores beside people's ratings, of those rated rows that have a score. */
export interface MeasuredColumn {
  /** Which of the rated rows have a score. */
  readonly rows: Int32Array;
  readonly measured: Measured;
}

/** What is drawn as a whole, and how intervals are made of it. */
export interface Clustering {
  /** Of each rated row. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  readonly method: IntervalMethod;
}

/** The interval of each measure, in the order of `measures`, for each column; the draws are shared. */
export function measureIntervals(
  columns: readonly MeasuredColumn[],
  clustering: Clustering,
): Interval[][] {
  const { method, cluster } = clustering;
  if (method.method === "delta") {
    return columns.map((column) => {
      const values = column.measured.values();
      const influences = column.measured.influences();
      return measures.map((_, which) =>
        deltaInterval(values[which] ?? Number.NaN, influences?.[which], column.rows, clustering),
      );
    });
  }
  const found = drawnIntervals(
    (weights) => columns.flatMap((column) => column.measured.values(weights)),
    clustering,
  );
  return columns.map((column, at) =>
    severalClusters(column.rows, cluster)
      ? found.slice(at * measures.length, (at + 1) * measures.length)
      : [],
  );
}

/** The interval of one column's measure minus the other's; both have the same rows. */
export function differenceInterval(
  [one, other]: readonly [MeasuredColumn, MeasuredColumn],
  which: number,
  clustering: Clustering,
): Interval {
  if (!severalClusters(one.rows, clustering.cluster)) return undefined;
  const difference = (weights?: Float64Array) =>
    (one.measured.values(weights)[which] ?? Number.NaN) -
    (other.measured.values(weights)[which] ?? Number.NaN);
  if (clustering.method.method === "delta") {
    const mine = one.measured.influences()?.[which];
    const others = other.measured.influences()?.[which];
    const influence = others && mine?.map((moves, row) => moves - (others[row] ?? 0));
    return deltaInterval(difference(), influence, one.rows, clustering);
  }
  return drawnIntervals((weights) => [difference(weights)], clustering)[0];
}

function drawnIntervals(
  valuesOf: (weights?: Float64Array) => readonly number[],
  { method: { method, resamples = 0, seed = 0 }, cluster, clusters }: Clustering,
): Interval[] {
  const values = valuesOf();
  const weighted = {
    ...{ cluster, clusters, count: values.length },
    statistics: (weights: Float64Array, into: Float64Array) => into.set(valuesOf(weights)),
  };
  const random = randomFrom(seed, "clustered bootstrap");
  const drawn = weightedResamples({ ...weighted, resamples, random });
  if (method === "percentile") return drawn.map(percentileInterval);
  const jackknifed = weightedJackknife(weighted);
  return drawn.map((resampled, at) =>
    bcaInterval({
      value: values[at] ?? Number.NaN,
      resampled,
      jackknifed: jackknifed[at] ?? new Float64Array(),
    }),
  );
}

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

function deltaInterval(
  value: number,
  influence: Float64Array | undefined,
  rows: Int32Array,
  { cluster }: Clustering,
): Interval {
  if (influence === undefined) return undefined;
  const found = new Map<number, number>();
  const own = rows.map((row) => {
    const one = cluster[row] ?? 0;
    const place = found.get(one) ?? found.size;
    found.set(one, place);
    return place;
  });
  const error = influenceError(influence, own, found.size);
  return Number.isNaN(error) ? undefined : [value - z * error, value + z * error];
}

function severalClusters(rows: Int32Array, cluster: Int32Array): boolean {
  const first = cluster[rows[0] ?? 0];
  return rows.some((row) => cluster[row] !== first);
}
