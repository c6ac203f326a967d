import type { ClusterSums } from "./cluster-sums.js";

/** weight x (numerator summed over groups) / (denominator summed over groups). */
export interface RatioTerm {
  readonly weight: number;
  readonly groups: readonly number[];
  /** Which of a cell's sums stands above the line. */
  readonly numerator: number;
  /** Which stands below it: a count, never negative. */
  readonly denominator: number;
}

/**
 * A sum of weighted ratios of totals: one term is a mean or a rate, one term for each domain with
 * weight 1 / domains a macro average, two terms with weights 1 and -1 a difference of rates.
 */
export type RatioStatistic = readonly RatioTerm[];

/**
 * The statistic's value from totals (group by group, `width` sums each); NaN where a denominator
 * is 0.
 *
 * @example ratioValue([{ weight: 1, groups: [0], numerator: 1, denominator: 0 }], [4, 1], 2) // 0.25
 */
export function ratioValue(
  statistic: RatioStatistic,
  totals: ArrayLike<number>,
  width: number,
): number {
  let value = 0;
  for (const { weight, groups, numerator, denominator } of statistic) {
    let above = 0;
    let below = 0;
    for (const group of groups) {
      above += totals[group * width + numerator] ?? 0;
      below += totals[group * width + denominator] ?? 0;
    }
    if (below === 0) return Number.NaN;
    value += (weight * above) / below;
  }
  return value;
}

/**
 * How many clusters stand below a term's line, counted up to `limit`: fewer than two give no
 * interval.
 */
export function clustersBehind(
  { groups, denominator }: RatioTerm,
  { clusters, width, start, group, sums }: ClusterSums,
  limit = Number.POSITIVE_INFINITY,
): number {
  let behind = 0;
  for (let cluster = 0; cluster < clusters && behind < limit; cluster++) {
    for (let cell = start[cluster] ?? 0; cell < (start[cluster + 1] ?? 0); cell++) {
      const counts = (sums[cell * width + denominator] ?? 0) > 0;
      if (counts && groups.includes(group[cell] ?? -1)) {
        behind += 1;
        break;
      }
    }
  }
  return behind;
}
