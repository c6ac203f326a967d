import { expm1 } from "./elementary/exponential.js";
import { log } from "./elementary/logarithm.js";
import { square } from "./elementary/powers.js";
import type { Estimate } from "./estimate.js";

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * A share of independent yes-or-no outcomes with its 95 % score interval: the shares p with
 * |k / n - p| <= z sqrt(p (1 - p) / n), which are those between
 * (k + z^2 / 2 +- z sqrt(k (n - k) / n + z^2 / 4)) / (n + z^2). Unlike the textbook interval it has
 * a width at 0 and 1 and never leaves [0, 1]. Wilson, "Probable Inference, the Law of Succession,
 * and Statistical Inference" (1927).
 *
 * @param successes k, a whole number from 0 to n.
 * @param n how many outcomes; for 0 the share is undefined.
 * @example wilsonInterval(9, 10) // { value: 0.9, low: 0.596, high: 0.982 }
 */
export function wilsonInterval(successes: number, n: number): Estimate {
  if (n === 0) return { value: null, low: null, high: null, reason: "there are none" };
  const square = z * z;
  const centre = successes + square / 2;
  const margin = z * Math.sqrt((successes * (n - successes)) / n + square / 4);
  return {
    value: successes / n,
    // At the ends rounding would leave a bound a hair off the share itself.
    low: successes === 0 ? 0 : (centre - margin) / (n + square),
    high: successes === n ? 1 : (centre + margin) / (n + square),
  };
}

/**
 * How large a share may still be, at 95 % confidence, when none of `n` independent draws showed it:
 * 1 - 0.05^(1/n), near 3 / n. Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All
 * Right?" (1983).
 *
 * @returns a share in [0, 1]; 1 for n = 0.
 * @example shareAfterNone(300) // 0.00994
 */
export function shareAfterNone(n: number): number {
  return n === 0 ? 1 : -expm1(log(0.05) / n);
}

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
