import { randomFrom } from "../../core/random.js";
import { fisherMargin } from "../../stats/fisher-z.js";
import {
  clusterSums,
  type InfluenceSpread,
  influenceMargin,
  influenceSpread,
  spreadOf,
} from "../../stats/influence-error.js";
import {
  type Interval,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  isByInfluence,
} from "../inference/intervals.js";
import { type Samples, sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import { type Measure, type Measured, measureRange, measures } from "./correlation-measures.js";
import type { CorrelationColumns } from "./correlation-row.js";

/** One metric's scores beside people's ratings, of those rated rows that have a score. */
export interface MeasuredColumn {
  /** Which of the rated rows have a score. */
  readonly rows: Int32Array;
  readonly measured: Measured;
}

/** The unit that is drawn as a whole, and how intervals are made of it. */
export interface Clustering {
  /** The cluster of each rated row. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  readonly method: IntervalMethod;
}

/** The clusters of some rows, and the method of their intervals. */
export function clusteringOf(
  { names, rows }: Pick<CorrelationColumns, "names" | "rows">,
  options: IntervalOptions,
): Clustering {
  const { cluster, count: clusters } = names.clusters(rows);
  const clusteredBy = names.unit(rows);
  const method = intervalMethod(options, { clusters, clusteredBy, rows: rows.length });
  return { cluster, clusters, method };
}

/** Samples of each column's measures, column by column; the draws are shared. */
export function measureSamples(
  columns: readonly MeasuredColumn[],
  clustering: Clustering,
): Samples {
  return drawnSamples(
    (weights) => columns.flatMap((column) => column.measured.values(weights)),
    columns.length * measures.length,
    clustering,
  );
}

/** How each measure of each column moves with each cluster; none where the column is constant. */
export function measureSpreads(
  columns: readonly MeasuredColumn[],
  clustering: Clustering,
): readonly (readonly (InfluenceSpread | undefined)[])[] {
  const all = new Float64Array(clustering.cluster.length);
  let own: Pick<Clustering, "cluster" | "clusters"> | undefined;
  return columns.map(({ rows, measured }, at) => {
    if (rows !== columns[at - 1]?.rows) own = undefined;
    own ??= clustersOf(rows, clustering);
    const { cluster, clusters } = own;
    return measures.map((measure) => {
      const influence = measured.influence(measure, all.subarray(0, rows.length));
      return influence && influenceSpread(influence, cluster, clusters);
    });
  });
}

/** The interval of a column's measure from the samples at its place; undefined where one cluster has all of its rows. */
export const columnInterval = (
  { rows, measured }: MeasuredColumn,
  samples: Samples,
  place: number,
  { cluster }: Clustering,
): Interval =>
  severalClusters(rows, cluster)
    ? sampledInterval(measured.values()[place % measures.length] ?? Number.NaN, samples, place)
    : undefined;

/** What is known of a difference already. */
export interface KnownDifference {
  readonly known?: Samples | undefined;
  readonly spread?: InfluenceSpread | undefined;
}

/**
 * The interval of one column's measure minus the other's; both have the same rows.
 *
 * @param known samples of the difference from these clusters, or how it moves with each, where that is known.
 */
export function differenceInterval(
  [one, other]: readonly [MeasuredColumn, MeasuredColumn],
  which: number,
  { known, spread, ...clustering }: Clustering & KnownDifference,
): Interval {
  if (!severalClusters(one.rows, clustering.cluster)) return undefined;
  const difference = (weights?: Float64Array) =>
    (one.measured.values(weights)[which] ?? Number.NaN) -
    (other.measured.values(weights)[which] ?? Number.NaN);
  if (isByInfluence(clustering.method.method)) {
    const its = spread ?? differenceSpreads([one, other], clustering)([0, 1], which);
    return spreadInterval(undefined, difference(), its, clustering.method);
  }
  const samples = known ?? drawnSamples((weights) => [difference(weights)], 1, clustering);
  return sampledInterval(difference(), samples, 0);
}

/** Sums of so many clusters, of all columns together, are held at once: 128 MB. */
const mostHeld = 16e6;

/**
 * How the difference of two columns' measures moves with each cluster, by their places; none where one is constant.
 * Of a measure that is asked for first the differences of all columns are made: the sums of as many columns as may be
 * held are taken apart from each other, and from those of each further column.
 *
 * @param columns all of the same rows.
 */
export function differenceSpreads(
  columns: readonly MeasuredColumn[],
  clustering: Clustering,
  most = mostHeld,
) {
  const rows = columns[0]?.rows ?? new Int32Array();
  const { cluster, clusters } = clustersOf(rows, clustering);
  const [influence, apart] = [new Float64Array(rows.length), new Float64Array(clusters)];
  const atOnce = Math.max(1, Math.floor(most / clusters));
  const count = columns.length;
  const made = new Map<number, Map<number, InfluenceSpread>>();
  const spreadsOf = (which: number) => {
    const spreads = new Map<number, InfluenceSpread>();
    const sumsOf = ({ measured }: MeasuredColumn) => {
      const its = measured.influence(measures[which] ?? measures[1], influence);
      return its && clusterSums(its, cluster, clusters);
    };
    for (let from = 0; from < count; from += atOnce) {
      const held = columns.slice(from, from + atOnce).map(sumsOf);
      for (const [behind, column] of columns.slice(from).entries()) {
        const others = behind < held.length ? held[behind] : sumsOf(column);
        for (const [at, mine] of held.slice(0, behind).entries()) {
          if (mine === undefined || others === undefined) continue;
          for (let one = 0; one < clusters; one++) {
            apart[one] = (mine[one] ?? 0) - (others[one] ?? 0);
          }
          spreads.set((from + at) * count + from + behind, spreadOf(apart));
        }
      }
    }
    return spreads;
  };
  return ([one, other]: readonly [number, number], which: number): InfluenceSpread | undefined => {
    const spreads = made.get(which) ?? spreadsOf(which);
    made.set(which, spreads);
    return spreads.get(Math.min(one, other) * count + Math.max(one, other));
  };
}

/** Samples of one place minus those of another. */
export function differenceSamples(
  { resampled, jackknifed }: Samples,
  one: number,
  other: number,
): Samples {
  const minus = (values: readonly Float64Array[]) => [
    (values[one] ?? new Float64Array()).map(
      (value, at) => value - (values[other]?.[at] ?? Number.NaN),
    ),
  ];
  return {
    resampled: minus(resampled),
    ...(jackknifed === undefined ? {} : { jackknifed: minus(jackknifed) }),
  };
}

/** Values of statistics in draws of whole clusters. */
export function drawnSamples(
  valuesOf: (weights: Float64Array) => readonly number[],
  count: number,
  clustering: Clustering,
): Samples {
  const random = randomFrom(clustering.method.seed ?? 0, "clustered bootstrap");
  return weightedSamples(valuesOf, { ...clustering, count, random });
}

/**
 * By the delta method, or Student's t: on Fisher's scale for a measure, which has a range.
 *
 * @param measure undefined for a difference of two.
 */
export function spreadInterval(
  measure: Measure | undefined,
  value: number | undefined,
  spread: InfluenceSpread | undefined,
  { method }: IntervalMethod,
): Interval {
  if (value === undefined || spread === undefined || !isByInfluence(method)) return undefined;
  const margin = influenceMargin(method, spread);
  if (Number.isNaN(margin)) return undefined;
  return method === "t" && measure !== undefined
    ? fisherMargin(value, margin, measureRange(measure))
    : [value - margin, value + margin];
}

/** The clusters of some rows, numbered anew, as others have none of them. */
export function clustersOf(
  rows: Int32Array,
  { cluster, clusters }: Clustering,
): Pick<Clustering, "cluster" | "clusters"> {
  const places = new Int32Array(clusters).fill(-1);
  let count = 0;
  const own = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const one = cluster[rows[at] ?? 0] ?? 0;
    if (places[one] === -1) {
      places[one] = count;
      count += 1;
    }
    own[at] = places[one] ?? 0;
  }
  return { cluster: own, clusters: count };
}

function severalClusters(rows: Int32Array, cluster: Int32Array): boolean {
  const first = cluster[rows[0] ?? 0];
  return rows.some((row) => cluster[row] !== first);
}
