import type { ClusterSums } from "./cluster-sums.js";
import { square } from "./elementary/square.js";
import { type RatioStatistic, ratioValue } from "./ratio-statistic.js";

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

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
export function deltaInterval(
  table: ClusterSums,
  totals: Float64Array,
  statistic: RatioStatistic,
): [low: number, high: number] | undefined {
  const { clusters, width, start, group, sums } = table;
  const value = ratioValue(statistic, totals, width);
  if (Number.isNaN(value)) return undefined;

  const terms = statistic.map((term) => ({
    ...term,
    ratio: ratioValue([{ ...term, weight: 1 }], totals, width),
    below: term.groups.reduce((sum, g) => sum + (totals[g * width + term.denominator] ?? 0), 0),
  }));
  const ofGroup = Array.from({ length: table.groups }, (_, g) =>
    terms.filter(({ groups }) => groups.includes(g)),
  );
  let taking = 0;
  let squares = 0;
  for (let cluster = 0; cluster < clusters; cluster++) {
    let influence = 0;
    let takesPart = false;
    for (let cell = start[cluster] ?? 0; cell < (start[cluster + 1] ?? 0); cell++) {
      for (const { weight, numerator, denominator, ratio, below } of ofGroup[group[cell] ?? 0] ??
        []) {
        const y = sums[cell * width + numerator] ?? 0;
        const x = sums[cell * width + denominator] ?? 0;
        if (x > 0) takesPart = true;
        influence += (weight * (y - ratio * x)) / below;
      }
    }
    if (takesPart) taking += 1;
    squares += square(influence);
  }
  if (taking < 2) return undefined;
  const margin = z * Math.sqrt((taking / (taking - 1)) * squares);
  return [value - margin, value + margin];
}
