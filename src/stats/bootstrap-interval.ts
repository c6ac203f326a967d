import type { Random } from "../core/random.js";
import { percentileInterval } from "./percentile-interval.js";

/**
 * The 95 % percentile interval of a statistic that is no ratio of sums (`clusterBootstrap` is faster
 * for those): as many units as there are, drawn with replacement, again and again; the bounds are
 * the 2.5 % and 97.5 % quantiles (type 7) of the statistic over the draws. Efron and Tibshirani, "An
 * Introduction to the Bootstrap" (1993), 13.3.
 *
 * @param options.units how many units there are to draw from.
 * @param options.statistic of the units with these indices, of which some come more than once; NaN
 *   where it is undefined, and such draws are left out.
 * @returns undefined with fewer than two units, or where no draw gave a value.
 */
export function bootstrapInterval({
  units,
  statistic,
  resamples,
  random,
}: {
  readonly units: number;
  statistic(drawn: Int32Array): number;
  readonly resamples: number;
  readonly random: Random;
}): [low: number, high: number] | undefined {
  if (units < 2) return undefined;
  const drawn = new Int32Array(units);
  const values = Float64Array.from({ length: resamples }, () => {
    for (let draw = 0; draw < units; draw++) drawn[draw] = random.integer(units);
    return statistic(drawn);
  });
  return percentileInterval(values);
}
