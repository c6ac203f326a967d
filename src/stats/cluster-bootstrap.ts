import type { Random } from "../core/random.js";
import { type ClusterSums, groupTotals } from "./cluster-sums.js";
import { percentileInterval } from "./percentile-interval.js";
import { type RatioStatistic, ratioValue } from "./ratio-statistic.js";

export interface Resampling {
  readonly statistics: readonly RatioStatistic[];
  readonly resamples: number;
  readonly random: Random;
}

/**
 * The 95 % percentile intervals of statistics by a bootstrap that draws whole clusters: in each
 * resample as many clusters as there are, uniformly and with replacement, and every statistic from
 * the same draw. Resamples in which a statistic is undefined are left out of its interval. Efron and
 * Tibshirani, "An Introduction to the Bootstrap" (1993), 13.3; whole clusters: Davison and Hinkley,
 * "Bootstrap Methods and their Application" (1997), 3.8.
 *
 * @returns one [low, high] for each statistic; undefined where no resample gave a value.
 */
export function clusterBootstrap(
  table: ClusterSums,
  resampling: Resampling,
): ([low: number, high: number] | undefined)[] {
  return clusterResamples(table, resampling).map(percentileInterval);
}

/** How many resamples are added up before their ratios are taken: so many that their sums stay in the cache. */
const resamplesAtOnce = 256;

/** The resampled values of each statistic, NaN where undefined. */
export function clusterResamples(
  table: ClusterSums,
  { statistics, resamples, random }: Resampling,
): Float64Array[] {
  const values = statistics.map(() => new Float64Array(resamples));
  const drawn = new Float64Array(table.clusters);
  const sums = sumsOf(statistics, table.width);
  const writeTotals = weightedTotals(table, [...sums.rows.keys()]);
  const totals = new Float64Array(table.groups * table.width);
  for (let from = 0; from < resamples; from += resamplesAtOnce) {
    const count = Math.min(resamplesAtOnce, resamples - from);
    for (let at = 0; at < count; at++) {
      drawClusters(random, drawn);
      writeTotals(drawn, totals);
      for (const [place, row] of sums.rows) row[at] = totals[place] ?? 0;
    }
    sums.add(count);
    for (const [index, into] of values.entries()) {
      const block = into.subarray(from, from + count);
      for (const { weight, above, below } of sums.terms[index] ?? []) {
        addRatios(block, weight, above, below);
      }
    }
  }
  return values;
}

function addRatios(
  into: Float64Array,
  weight: number,
  above: Float64Array,
  below: Float64Array,
): void {
  for (let at = 0; at < into.length; at++) {
    const under = below[at] ?? 0;
    const ratio = under === 0 ? Number.NaN : (weight * (above[at] ?? 0)) / under;
    into[at] = (into[at] ?? 0) + ratio;
  }
}

/** The sums that statistics divide, each kept once for a number of resamples, however many statistics share it. */
function sumsOf(statistics: readonly RatioStatistic[], width: number) {
  const rows = new Map<number, Float64Array>();
  const pooled = new Map<string, { readonly sum: Float64Array; readonly of: Float64Array[] }>();
  const rowAt = (place: number) => {
    const row = rows.get(place) ?? new Float64Array(resamplesAtOnce);
    rows.set(place, row);
    return row;
  };
  const sumOf = (groups: readonly number[], column: number) => {
    const name = `${column}:${groups.join()}`;
    const found = pooled.get(name) ?? {
      sum: new Float64Array(resamplesAtOnce),
      of: groups.map((group) => rowAt(group * width + column)),
    };
    pooled.set(name, found);
    return found.sum;
  };
  const terms = statistics.map((statistic) =>
    statistic.map(({ weight, groups, numerator, denominator }) => ({
      weight,
      above: sumOf(groups, numerator),
      below: sumOf(groups, denominator),
    })),
  );
  const add = (count: number) => {
    for (const { sum, of } of pooled.values()) {
      sum.fill(0);
      for (const row of of) addRow(sum, row, count);
    }
  };
  return { rows, terms, add };
}

function addRow(into: Float64Array, row: Float64Array, count: number): void {
  for (let at = 0; at < count; at++) into[at] = (into[at] ?? 0) + (row[at] ?? 0);
}

/** The values of each statistic without each of the clusters, NaN where undefined. */
export function clusterJackknife(
  table: ClusterSums,
  statistics: readonly RatioStatistic[],
): Float64Array[] {
  const { clusters, width, start, group, sums } = table;
  const values = statistics.map(() => new Float64Array(clusters));
  const all = groupTotals(table);
  const totals = new Float64Array(all.length);
  for (let cluster = 0; cluster < clusters; cluster++) {
    totals.set(all);
    for (let cell = start[cluster] ?? 0; cell < (start[cluster + 1] ?? 0); cell++) {
      const base = (group[cell] ?? 0) * width;
      for (let column = 0; column < width; column++) {
        totals[base + column] = (totals[base + column] ?? 0) - (sums[cell * width + column] ?? 0);
      }
    }
    statistics.forEach((statistic, index) => {
      const into = values[index];
      if (into) into[cluster] = ratioValue(statistic, totals, width);
    });
  }
  return values;
}

/**
 * Draws as many clusters as there are, uniformly and with replacement.
 *
 * @param drawn of each cluster, how often it was drawn; written anew.
 */
export function drawClusters(random: Random, drawn: Float64Array): void {
  drawn.fill(0);
  random.tally(drawn.length, drawn);
}

/** Sums of one group by cluster, of which totals are wanted. */
interface GroupColumns {
  /** Clusters with a cell of the group; undefined where all have one. */
  readonly cluster: Int32Array | undefined;
  /** The weights of these clusters. */
  readonly weights: Float64Array;
  readonly pairs: readonly ColumnPair[];
}

/** Two columns that share a pass over the weights; an odd one out stands with itself. */
interface ColumnPair {
  /** Where their totals stand among the totals. */
  readonly places: readonly [number, number];
  /** The sum in each cluster. */
  readonly sums: readonly [Float64Array, Float64Array];
}

/**
 * Returns what writes the totals in which each cluster counts as often as its weight says.
 *
 * @param places which totals are wanted: group x width + column.
 */
function weightedTotals(
  { clusters, width, start, group, sums }: ClusterSums,
  places: Iterable<number>,
): (weights: Float64Array, totals: Float64Array) => void {
  const cells = new Map<number, { cluster: number[]; cell: number[] }>();
  for (let cluster = 0; cluster < clusters; cluster++) {
    for (let cell = start[cluster] ?? 0; cell < (start[cluster + 1] ?? 0); cell++) {
      const one = group[cell] ?? 0;
      const its = cells.get(one) ?? { cluster: [], cell: [] };
      cells.set(one, its);
      its.cluster.push(cluster);
      its.cell.push(cell);
    }
  }
  const wanted = [...new Set(places)];
  const groups = Array.from(cells, ([one, { cluster, cell }]): GroupColumns => {
    const of = wanted.filter((place) => Math.floor(place / width) === one);
    const column = (place: number) =>
      Float64Array.from(cell, (at) => sums[at * width + (place % width)] ?? 0);
    const pairs: ColumnPair[] = [];
    for (let at = 0; at < of.length; at += 2) {
      const place = of[at] ?? 0;
      const next = of[at + 1] ?? place;
      pairs.push({ places: [place, next], sums: [column(place), column(next)] });
    }
    return {
      cluster: cluster.length === clusters ? undefined : Int32Array.from(cluster),
      weights: new Float64Array(cluster.length),
      pairs,
    };
  });
  return (drawn, totals) => {
    for (const { cluster, weights, pairs } of groups) {
      if (cluster !== undefined) {
        for (let at = 0; at < cluster.length; at++) weights[at] = drawn[cluster[at] ?? 0] ?? 0;
      }
      for (const pair of pairs) pairTotals(pair, cluster === undefined ? drawn : weights, totals);
    }
  };
}

/** Four sums at a time need not wait for each other; which number goes to which is fixed. */
function pairTotals(
  { places, sums: [one, other] }: ColumnPair,
  weights: Float64Array,
  totals: Float64Array,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let f = 0;
  let g = 0;
  let h = 0;
  let at = 0;
  for (; at < weights.length - 3; at += 4) {
    const first = weights[at] ?? 0;
    const second = weights[at + 1] ?? 0;
    const third = weights[at + 2] ?? 0;
    const fourth = weights[at + 3] ?? 0;
    a += first * (one[at] ?? 0);
    b += second * (one[at + 1] ?? 0);
    c += third * (one[at + 2] ?? 0);
    d += fourth * (one[at + 3] ?? 0);
    e += first * (other[at] ?? 0);
    f += second * (other[at + 1] ?? 0);
    g += third * (other[at + 2] ?? 0);
    h += fourth * (other[at + 3] ?? 0);
  }
  for (; at < weights.length; at++) {
    a += (weights[at] ?? 0) * (one[at] ?? 0);
    e += (weights[at] ?? 0) * (other[at] ?? 0);
  }
  totals[places[0]] = a + b + (c + d);
  totals[places[1]] = e + f + (g + h);
}
