import type { Random } from "../core/random.js";
import { type ClusterSums, groupTotals } from "./cluster-sums.js";
import { drawClusters } from "./draw-clusters.js";
import { percentileInterval } from "./percentile-interval.js";
import { type RatioStatistic, ratioValue } from "./ratio-statistic.js";
import { weightedTotals } from "./weighted-totals.js";

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
  const totals = new Float64Array(table.groups * table.width);
  const writeTotals = weightedTotals(
    table,
    statistics.flatMap((terms) =>
      terms.flatMap(({ groups, numerator, denominator }) =>
        groups.flatMap((one) => [one * table.width + numerator, one * table.width + denominator]),
      ),
    ),
  );
  for (let resample = 0; resample < resamples; resample++) {
    drawClusters(random, drawn);
    writeTotals(drawn, totals);
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
