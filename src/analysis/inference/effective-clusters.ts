import type { Estimate } from "../../stats/estimate.js";
import { effectiveClusters, type InfluenceSpread } from "../../stats/influence-error.js";

/**
 * From as many clusters on, intervals of shares that are not rare hold the truth 93 to 95 % of the
 * time where clusters are about equally large; of 10 it is 88 to 92 %, of 5 as little as 75. Measured
 * by bench/coverage.mjs; docs/intervals.md has all of it.
 */
export const fewestClusters = 30;

/**
 * How many clusters of equal say would tell as much, where that is too few for an interval although
 * there are enough clusters: scores with a long tail, or one prompt with most of the rows.
 */
export function tooFewDecide(spread: InfluenceSpread): Pick<Estimate, "effectiveClusters"> {
  const effective = effectiveClusters(spread);
  return spread.clusters >= fewestClusters && effective < fewestClusters
    ? { effectiveClusters: Math.round(effective) }
    : {};
}
