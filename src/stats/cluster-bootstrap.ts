import type { Random } from "../core/random.js";
import { type ClusterSums, groupTotals } from "./cluster-sums.js";
import { drawClusters } from "./draw-clusters.js";
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

/** The resampled values of each statistic, NaN where undefined. */
export function clusterResamples(
  table: ClusterSums,
  { statistics, resamples, random }: Resampling,
): Float64Array[] {
  const values = statistics.map(() => new Float64Array(resamples));
  const drawn = new Float64Array(table.clusters);
  const ones = new Uint32Array(table.clusters);
  const totals = new Float64Array(table.groups * table.width);
  const columns = usedColumns(table, statistics);
  for (let resample = 0; resample < resamples; resample++) {
    drawClusters(random, drawn, ones);
    for (const column of columns) totals[column.place] = drawnTotal(column, drawn);
    for (let index = 0; index < statistics.length; index++) {
      const statistic = statistics[index];
      const into = values[index];
      if (statistic && into) into[resample] = ratioValue(statistic, totals, table.width);
    }
  }
  return values;
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

/** A sum of one group by cluster. */
interface Column {
  /** Where its total stands among the totals. */
  readonly place: number;
  /** Clusters with a cell of the group. */
  readonly cluster: Int32Array;
  /** The sum in each of them. */
  readonly sum: Float64Array;
}

/** The sums that statistics are made of. */
function usedColumns(
  { clusters, width, start, group, sums }: ClusterSums,
  statistics: readonly RatioStatistic[],
): Column[] {
  const places = statistics.flatMap((terms) =>
    terms.flatMap(({ groups, numerator, denominator }) =>
      groups.flatMap((one) => [one * width + numerator, one * width + denominator]),
    ),
  );
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
  return [...new Set(places)].map((place) => {
    const its = cells.get(Math.floor(place / width));
    return {
      place,
      cluster: Int32Array.from(its?.cluster ?? []),
      sum: Float64Array.from(its?.cell ?? [], (cell) => sums[cell * width + (place % width)] ?? 0),
    };
  });
}

/** The total in which each cluster counts as often as it was drawn; four sums at a time need not wait. */
function drawnTotal({ cluster, sum }: Column, drawn: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at < cluster.length - 3; at += 4) {
    a += (drawn[cluster[at] ?? 0] ?? 0) * (sum[at] ?? 0);
    b += (drawn[cluster[at + 1] ?? 0] ?? 0) * (sum[at + 1] ?? 0);
    c += (drawn[cluster[at + 2] ?? 0] ?? 0) * (sum[at + 2] ?? 0);
    d += (drawn[cluster[at + 3] ?? 0] ?? 0) * (sum[at + 3] ?? 0);
  }
  for (; at < cluster.length; at++) a += (drawn[cluster[at] ?? 0] ?? 0) * (sum[at] ?? 0);
  return a + b + (c + d);
}
