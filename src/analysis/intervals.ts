import { randomFrom } from "../core/random.js";
import { bcaInterval } from "../stats/bca-interval.js";
import {
  clusterBootstrap,
  clusterJackknife,
  clusterResamples,
} from "../stats/cluster-bootstrap.js";
import { type ClusterSums, groupTotals } from "../stats/cluster-sums.js";
import { deltaInterval } from "../stats/delta-interval.js";
import type { Estimate } from "../stats/estimate.js";
import {
  clustersBehind,
  type RatioStatistic,
  type RatioTerm,
  ratioValue,
} from "../stats/ratio-statistic.js";

export const intervalKinds = ["percentile", "bca", "delta"] as const;
export type IntervalKind = (typeof intervalKinds)[number];

/** How intervals are to be made. */
export interface IntervalOptions {
  /**
   * Default: a percentile bootstrap, above 10,000 clusters the delta method. BCa corrects the
   * percentiles for bias and skew, and says why where the data do not allow it.
   */
  readonly interval?: IntervalKind | undefined;
  /** Default 2,000. */
  readonly resamples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const namesOfSeveral = {
  prompt: "prompts",
  description: "descriptions",
  row: "rows",
  query: "queries",
  item: "items",
  image: "images",
  pair: "pairs",
  group: "groups",
} as const;
/** What is drawn as a whole. */
export type ClusterUnit = keyof typeof namesOfSeveral;

/** @example unitsText(1200, "query") // "1,200 queries" */
export function unitsText(count: number, unit: ClusterUnit): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? unit : namesOfSeveral[unit]}`;
}

/** How intervals were made, as every output says it. */
export interface IntervalMethod {
  readonly method: IntervalKind;
  readonly level: 0.95;
  readonly clusteredBy: ClusterUnit;
  /** The largest number of clusters behind any of the estimates. */
  readonly clusters: number;
  readonly resamples?: number;
  readonly seed?: number;
  /** The same as a sentence for people. */
  readonly text: string;
}

const mostClustersToResample = 10_000;

/** Settles the method for data with this many clusters. */
export function intervalMethod(
  { interval, resamples = 2000, seed = 0 }: IntervalOptions,
  { clusters, clusteredBy }: { clusters: number; clusteredBy: ClusterUnit },
): IntervalMethod {
  const method = interval ?? (clusters > mostClustersToResample ? "delta" : "percentile");
  const units = unitsText(clusters, clusteredBy);
  const shared = { method, level: 0.95, clusteredBy, clusters } as const;
  const name = method === "bca" ? "BCa" : method;
  return method === "delta"
    ? { ...shared, text: `95 % delta method over ${units}` }
    : {
        ...shared,
        resamples,
        seed,
        text: `95 % ${name} bootstrap: ${resamples.toLocaleString("en-US")} resamples of ${units}, seed ${seed}`,
      };
}

/** A sum of weighted ratios to estimate, and what to say where there is nothing to divide by. */
export interface Estimand {
  readonly terms: readonly (RatioTerm & { readonly whenEmpty: string })[];
  /** The statistic can't lie outside; a delta interval is cut there. */
  readonly within?: readonly [low: number, high: number];
}

/**
 * Value and interval of each estimand, all from the same resamples. An estimand is undefined where
 * one of its ratios has nothing below the line, and has no interval where only one cluster stands
 * there.
 */
export function estimate(
  table: ClusterSums,
  estimands: readonly Estimand[],
  method: IntervalMethod,
): Estimate[] {
  const totals = groupTotals(table);
  const bounds = boundsOf(
    table,
    estimands.map(({ terms }) => terms),
    method,
  );
  return estimands.map(({ terms, within = [-Infinity, Infinity] }, index) => {
    const empty = terms.find((term) => Number.isNaN(ratioValue([term], totals, table.width)));
    if (empty) return undefinedEstimate(empty.whenEmpty);
    const value = ratioValue(terms, totals, table.width);
    const interval = bounds[index];
    if (interval === undefined || terms.some((term) => clustersBehind(term, table, 2) < 2)) {
      const reason = `no interval from one ${method.clusteredBy}`;
      return { value, low: null, high: null, reason };
    }
    return withInterval(value, interval, within);
  });
}

/** An interval, a reason why there is none, or nothing to draw from. */
export type Interval =
  | readonly [low: number, high: number]
  | { readonly reason: string }
  | undefined;

/** A value with its interval, cut where the statistic can't lie. */
export function withInterval(
  value: number,
  interval: Exclude<Interval, undefined>,
  [least, most]: readonly [low: number, high: number],
): Estimate {
  if ("reason" in interval) {
    return { value, low: null, high: null, reason: `no interval: ${interval.reason}` };
  }
  const [low, high] = interval;
  return { value, low: Math.max(least, low), high: Math.min(most, high) };
}

function boundsOf(
  table: ClusterSums,
  statistics: readonly RatioStatistic[],
  { method, resamples = 0, seed = 0 }: IntervalMethod,
): Interval[] {
  const totals = groupTotals(table);
  if (method === "delta") return statistics.map((each) => deltaInterval(table, totals, each));
  const drawing = { statistics, resamples, random: randomFrom(seed, "clustered bootstrap") };
  if (method === "percentile") return clusterBootstrap(table, drawing);
  const jackknifed = clusterJackknife(table, statistics);
  return clusterResamples(table, drawing).map((resampled, at) =>
    bcaInterval({
      value: ratioValue(statistics[at] ?? [], totals, table.width),
      resampled,
      jackknifed: jackknifed[at] ?? new Float64Array(),
    }),
  );
}

/** An estimate that the data do not define. */
export function undefinedEstimate(reason: string): Estimate {
  return { value: null, low: null, high: null, reason };
}
