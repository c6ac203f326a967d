import { holm } from "../../stats/adjusted-p-values.js";
import type { Estimate } from "../../stats/estimate.js";
import { studentTPValue } from "../../stats/incomplete-beta.js";
import {
  effectiveClusters,
  type InfluenceSpread,
  spreadError,
} from "../../stats/influence-error.js";
import { normalTails } from "../../stats/normal.js";
import type { IntervalMethod } from "../inference/intervals.js";

/** Two metrics on the rows that every metric of the table scored and people rated. */
export interface MetricDifference {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  /** Kendall's tau-b of a minus that of b. */
  readonly kendallTauB: Estimate;
  /** The share of pairs that a has in people's order minus that of b. */
  readonly pairwiseAccuracy: Estimate;
  /** Two-sided, of no difference of tau-b; null where undefined. */
  readonly p: number | null;
  /** Over all pairs, by Holm. */
  readonly pAdjusted: number | null;
}

/** A difference of one measure with what its p is made of. */
export interface TestedDifference {
  readonly estimate: Estimate & { readonly n: number };
  /** The difference in draws of whole clusters, where intervals are made of such. */
  readonly resampled?: Float64Array | undefined;
  /** How it moves with each cluster, where intervals are made of that. */
  readonly spread?: InfluenceSpread | undefined;
}

/**
 * The paired differences of every two metrics.
 *
 * @param differenceOf returns a measure of the first minus that of the second.
 */
export function metricDifferences(
  metrics: readonly string[],
  differenceOf: (
    places: readonly [one: number, other: number],
    measure: "kendallTauB" | "pairwiseAccuracy",
  ) => TestedDifference,
  method: IntervalMethod,
): MetricDifference[] {
  const found = metrics.flatMap((a, one) =>
    metrics.slice(one + 1).map((b, at) => {
      const places = [one, one + 1 + at] as const;
      const tau = differenceOf(places, "kendallTauB");
      const { n, ...kendallTauB } = tau.estimate;
      const { n: _, ...pairwiseAccuracy } = differenceOf(places, "pairwiseAccuracy").estimate;
      return { a, b, n, kendallTauB, pairwiseAccuracy, p: pOf(tau, method) };
    }),
  );
  const adjusted = holm(found.flatMap(({ p }) => p ?? []))[Symbol.iterator]();
  return found.map((one) => ({
    ...one,
    pAdjusted: one.p === null ? null : (adjusted.next().value ?? null),
  }));
}

/**
 * Two-sided p of no difference by the method of the interval: twice the share of resamples on the rarer side of 0, with
 * one added (Davison and Hinkley, "Bootstrap Methods and their Application" (1997), 4.2.5); or the difference over its
 * standard error, by the normal distribution (delta) or Student's t.
 */
function pOf(
  { estimate: { value, low }, resampled, spread }: TestedDifference,
  { method }: IntervalMethod,
): number | null {
  if (value === null || low === null) return null;
  if (resampled !== undefined) {
    let above = 0;
    let below = 0;
    let drawn = 0;
    for (const each of resampled) {
      if (Number.isNaN(each)) continue;
      drawn++;
      if (each >= 0) above++;
      if (each <= 0) below++;
    }
    return drawn === 0 ? null : Math.min(1, (2 * (1 + Math.min(above, below))) / (1 + drawn));
  }
  if (spread === undefined) return null;
  const error = spreadError(spread);
  if (!(error > 0)) return null;
  const t = value / error;
  return method === "t" ? studentTPValue(t, effectiveClusters(spread) - 1) : normalTails(t);
}
