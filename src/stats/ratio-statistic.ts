import type { ClusterSums } from "./cluster-sums.js";
import { square } from "./elementary/powers.js";
import { type InfluenceSpread, influenceMargin } from "./influence-error.js";

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

type DeltaInterval = [low: number, high: number] | undefined;

/**
 * The 95 % interval of a statistic by the delta method (Taylor linearisation) over whole clusters:
 * a ratio R = Y / X moves with cluster c by u = (y - R x) / X, a sum of weighted ratios by the
 * weighted sum of these; the variance is k / (k - 1) times the sum of u^2 over the k clusters that
 * take part, the interval value +- 1.96 standard errors. Cochran, "Sampling Techniques" (1977),
 * 6.19 and 9A.
 *
 * @param totals of the table, from `groupTotals`.
 * @returns [low, high]; undefined where the statistic is, or with fewer than two clusters.
 */
export const deltaInterval = (
  table: ClusterSums,
  totals: Float64Array,
  statistic: RatioStatistic,
): DeltaInterval =>
  ratioInterval(
    ratioValue(statistic, totals, table.width),
    ratioSpreads(table, totals, [statistic])[0],
  );

/**
 * The same of a value and its spread.
 *
 * @param method "t" takes Student's t in place of 1.96, as `influenceMargin` does.
 */
export function ratioInterval(
  value: number,
  spread: InfluenceSpread | undefined,
  method: "delta" | "t" = "delta",
): DeltaInterval {
  if (Number.isNaN(value) || spread === undefined || spread.clusters < 2) return undefined;
  const margin = influenceMargin(method, spread);
  return [value - margin, value + margin];
}

/** How each statistic moves with the clusters that take part in it. */
export function ratioSpreads(
  table: ClusterSums,
  totals: Float64Array,
  statistics: readonly RatioStatistic[],
): InfluenceSpread[] {
  const { clusters, groups, width, start, group, sums } = table;
  const ofGroup = termsByGroup(statistics, { groups, totals, width });
  const influence = new Float64Array(statistics.length);
  const squares = new Float64Array(statistics.length);
  const fourths = new Float64Array(statistics.length);
  const taking = new Int32Array(statistics.length);
  /** 1 + the newest cluster that takes part in each. */
  const newest = new Int32Array(statistics.length);
  const moved = new Int32Array(ofGroup.reduce((all, terms) => all + terms.length, 0));
  for (let cluster = 0; cluster < clusters; cluster++) {
    let count = 0;
    for (let cell = start[cluster] ?? 0; cell < (start[cluster + 1] ?? 0); cell++) {
      const base = cell * width;
      const terms = ofGroup[group[cell] ?? 0] ?? [];
      for (let place = 0; place < terms.length; place++) {
        const term = terms[place];
        if (term === undefined) continue;
        const { at } = term;
        const y = sums[base + term.numerator] ?? 0;
        const x = sums[base + term.denominator] ?? 0;
        if (x > 0 && newest[at] !== cluster + 1) {
          newest[at] = cluster + 1;
          taking[at] = (taking[at] ?? 0) + 1;
        }
        moved[count++] = at;
        influence[at] = (influence[at] ?? 0) + (term.weight * (y - term.ratio * x)) / term.below;
      }
    }
    for (let each = 0; each < count; each++) {
      const at = moved[each] ?? 0;
      const moves = square(influence[at] ?? 0);
      influence[at] = 0;
      squares[at] = (squares[at] ?? 0) + moves;
      fourths[at] = (fourths[at] ?? 0) + square(moves);
    }
  }
  return statistics.map((_, at) => ({
    clusters: taking[at] ?? 0,
    squares: squares[at] ?? 0,
    fourths: fourths[at] ?? 0,
  }));
}

interface MovedTerm extends Pick<RatioTerm, "weight" | "numerator" | "denominator"> {
  /** Which statistic it is of. */
  readonly at: number;
  readonly ratio: number;
  /** What stands below its line. */
  readonly below: number;
}

/** The terms of all statistics that each group takes part in. */
function termsByGroup(
  statistics: readonly RatioStatistic[],
  {
    groups,
    totals,
    width,
  }: { readonly groups: number; readonly totals: Float64Array; readonly width: number },
): readonly (readonly MovedTerm[])[] {
  const found = Array.from({ length: groups }, (): MovedTerm[] => []);
  for (const [at, statistic] of statistics.entries()) {
    for (const term of statistic) {
      const { weight, numerator, denominator } = term;
      const ratio = ratioValue([{ ...term, weight: 1 }], totals, width);
      let below = 0;
      for (const group of term.groups) below += totals[group * width + denominator] ?? 0;
      const moved = { at, weight, numerator, denominator, ratio, below };
      for (const group of new Set(term.groups)) found[group]?.push(moved);
    }
  }
  return found;
}
