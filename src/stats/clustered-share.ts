import { square } from "./elementary/powers.js";
import type { Estimate } from "./estimate.js";
import { wilsonInterval } from "./share-interval.js";

/** Outcomes of one cluster, such as the answers about one picture. */
export interface ClusterCount {
  readonly successes: number;
  readonly n: number;
}

/**
 * A share of yes-or-no outcomes that come in clusters, with a 95 % interval: Wilson's, for as many
 * independent outcomes as tell as much. That number is n / deff, where deff is the variance of the
 * share between clusters (linearised, G / (G - 1)) over p (1 - p) / n, and at least 1. Where all
 * outcomes agree they tell as much as there are clusters. Korn and Graubard, "Confidence intervals
 * for proportions with small expected number of positive counts estimated from survey data" (1998),
 * with Wilson's interval in place of the exact one, as Dean and Pagano (2015) advise.
 *
 * @returns value null where there are no outcomes, and no interval from one cluster.
 */
export function clusteredShare(clusters: readonly ClusterCount[]): Estimate {
  const met = clusters.filter(({ n }) => n > 0);
  const n = met.reduce((sum, cluster) => sum + cluster.n, 0);
  const successes = met.reduce((sum, cluster) => sum + cluster.successes, 0);
  if (n === 0) return wilsonInterval(0, 0);
  const share = successes / n;
  if (met.length === 1 && n > 1) {
    return { value: share, low: null, high: null, reason: "no interval from one cluster" };
  }
  const effective = successes === 0 || successes === n ? met.length : n / deffOf(met, share, n);
  return { ...wilsonInterval(share * effective, effective), value: share };
}

function deffOf(clusters: readonly ClusterCount[], share: number, n: number): number {
  const squares = clusters.reduce((sum, one) => sum + square(one.successes - share * one.n), 0);
  const variance = (clusters.length / (clusters.length - 1)) * (squares / square(n));
  return Math.max(1, variance / ((share * (1 - share)) / n));
}
