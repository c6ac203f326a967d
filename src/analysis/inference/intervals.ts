import { countText } from "../../core/phrases.js";
import { randomFrom } from "../../core/random.js";
import {
  clusterBootstrap,
  clusterJackknife,
  clusterResamples,
} from "../../stats/cluster-bootstrap.js";
import { type ClusterSums, groupTotals } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { bcaInterval } from "../../stats/percentile-interval.js";
import {
  clustersBehind,
  type RatioStatistic,
  type RatioTerm,
  ratioInterval,
  ratioSpreads,
  ratioValue,
} from "../../stats/ratio-statistic.js";
import { tooFewDecide } from "./prompt-clusters.js";

export const intervalKinds = ["percentile", "bca", "delta", "t"] as const;

/** The intervals that resamples give. */
export const resampledIntervals = ["percentile", "bca"] as const;
export type IntervalKind = (typeof intervalKinds)[number];

/** Those that are made of how a statistic moves with each cluster, without resamples. */
export const isByInfluence = (method: IntervalKind): method is "delta" | "t" =>
  method === "delta" || method === "t";

/** How intervals are to be made. */
export interface IntervalOptions {
  /**
   * Default: a percentile bootstrap, above 10,000 clusters the delta method; of correlations also
   * above 20,000 rows; of comparisons of more than 10,000 pairs Student's t. BCa corrects the
   * percentiles for bias and skew, and says why where the data do not allow it. Student's t is for few
   * clusters, and for those of which a few decide; coefficients have it on Fisher's scale.
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
  annotator: "annotators",
} as const;
/** The unit that is drawn as a whole. */
export type ClusterUnit = keyof typeof namesOfSeveral;

/** @example unitsText(1200, "query") // "1,200 queries" */
export function unitsText(count: number, unit: ClusterUnit): string {
  return `${countText(count)} ${count === 1 ? unit : namesOfSeveral[unit]}`;
}

/** How intervals were made, as every output says it. */
export interface IntervalMethod {
  readonly method: IntervalKind;
  readonly level: 0.95;
  readonly clusteredBy: ClusterUnit;
  /** The largest number of clusters behind any of the estimates. */
  readonly clusters: number;
  /** A second cluster of rows, where intervals allow for both (two-way clustering). */
  readonly crossedWith?: { readonly clusteredBy: ClusterUnit; readonly clusters: number };
  readonly resamples?: number;
  readonly seed?: number;
  /** The same as a sentence for people. */
  readonly text: string;
}

export const mostClustersToResample = 10_000;
const mostRowsToResample = 20_000;
const mostPairsToResample = 10_000;

/**
 * Settles the method for data with this many clusters.
 *
 * @param options.rows given where a resample takes time by rows and not by clusters: with many, the
 *   default is the delta method as well.
 * @param options.pairs given where each pair of so many is resampled: with many, the default is Student's t.
 */
export function intervalMethod(
  { interval, resamples = 2000, seed = 0 }: IntervalOptions,
  {
    clusters,
    clusteredBy,
    rows = 0,
    pairs = 0,
  }: {
    readonly clusters: number;
    readonly clusteredBy: ClusterUnit;
    readonly rows?: number;
    readonly pairs?: number;
  },
): IntervalMethod {
  const isFewClusters = clusters <= mostClustersToResample;
  const isManyPairs = pairs > mostPairsToResample;
  const isManyRows = rows > mostRowsToResample;
  const isMany = isManyRows || isManyPairs || !isFewClusters;
  const byDefault = isMany ? (isManyPairs ? "t" : "delta") : "percentile";
  const method = interval ?? byDefault;
  const units = unitsText(clusters, clusteredBy);
  const shared = { method, level: 0.95, clusteredBy, clusters } as const;
  const name = method === "bca" ? "BCa" : method;
  const reason = isManyPairs
    ? unitsText(mostPairsToResample, "pair")
    : isManyRows && isFewClusters
      ? unitsText(mostRowsToResample, "row")
      : undefined;
  const why =
    interval === undefined && reason !== undefined ? `, as there are more than ${reason}` : "";
  return isByInfluence(method)
    ? {
        ...shared,
        text: `95 % ${method === "delta" ? "delta method" : "Student's t"} over ${units}${why}`,
      }
    : {
        ...shared,
        resamples,
        seed,
        text: `95 % ${name} bootstrap: ${countText(resamples)} resamples of ${units}, seed ${seed}`,
      };
}

const everywhere = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

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
  const statistics = estimands.map(({ terms }) => terms);
  const spreads = ratioSpreads(table, totals, statistics);
  const kind = method.method;
  const bounds = isByInfluence(kind)
    ? statistics.map((terms, at) =>
        ratioInterval(ratioValue(terms, totals, table.width), spreads[at], kind),
      )
    : resampledBounds(table, totals, statistics, method);
  return estimands.map(({ terms, within = everywhere }, index) => {
    const empty = terms.find((term) => clustersBehind(term, table, 1) === 0);
    if (empty) return undefinedEstimate(empty.whenEmpty);
    const value = ratioValue(terms, totals, table.width);
    const isOne = terms.some((term) => clustersBehind(term, table, 2) < 2);
    const whenNone = `no interval from one ${method.clusteredBy}`;
    const spread = spreads[index];
    return {
      ...withInterval(value, isOne ? undefined : bounds[index], { within, whenNone }),
      ...(spread === undefined ? {} : tooFewDecide(spread)),
    };
  });
}

/** An interval, a reason why there is none, or nothing to draw from. */
export type Interval =
  | readonly [low: number, high: number]
  | { readonly reason: string }
  | undefined;

/** The reason of an estimate of which all resamples agree, as of six rows in perfect order: no width would claim too much. */
export const noSpread = "no interval: it would have no width";
const above = "no interval: nearly all resamples lie above the value, so they are biased";
const below = "no interval: nearly all resamples lie below the value, so they are biased";
const tooLarge = "its scores are too large to be summed";

/** Two numbers nearer than this share of their size, or of the statistic's range, differ by rounding. */
const rounding = 1e-12;

/**
 * Decides for every statistic what is shown of its interval: `low <= value <= high` with a width, or
 * no bounds and the reason. No bounds where all resamples agree (a correlation of six rows in perfect
 * order), since the truth may differ yet; where 97.5 % of resamples lie to one side of the value (an
 * error that chance only adds to), since then the percentile interval, the basic one and, unless it is
 * accelerated, BCa all miss the value; and where a sum is not finite.
 *
 * @param options.within where the statistic can lie; bounds are cut there.
 * @param options.whenNone the reason where there was nothing to draw from.
 * @example withInterval(1, [1, 1], { whenNone: "no interval from one row" }).low // null
 */
export function withInterval(
  value: number,
  interval: Interval,
  {
    within: [least, most] = everywhere,
    whenNone,
  }: { readonly within?: readonly [low: number, high: number]; readonly whenNone: string },
): Estimate {
  if (!Number.isFinite(value)) return undefinedEstimate(tooLarge);
  const without = (reason: string): Estimate => ({ value, low: null, high: null, reason });
  if (interval === undefined) return without(whenNone);
  if ("reason" in interval) return without(`no interval: ${interval.reason}`);
  const low = Math.max(least, interval[0]);
  const high = Math.min(most, interval[1]);
  if (!(Number.isFinite(low) && Number.isFinite(high))) return without(`no interval: ${tooLarge}`);
  const range = most - least;
  const size = Math.max(Math.abs(value), Math.abs(low), Math.abs(high));
  const slack = rounding * (Number.isFinite(range) ? range : size);
  if (value < low - slack) return without(above);
  if (value > high + slack) return without(below);
  if (high - low <= slack) return without(noSpread);
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}

function resampledBounds(
  table: ClusterSums,
  totals: Float64Array,
  statistics: readonly RatioStatistic[],
  { method, resamples = 0, seed = 0 }: IntervalMethod,
): Interval[] {
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
