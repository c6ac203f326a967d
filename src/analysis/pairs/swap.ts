import { largestOf } from "../../core/arrays.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { type Direction, outcomeOf } from "./pair-sums.js";
import { defaultTieTolerance, type TieOptions, tieText } from "./score-ties.js";

/** One metric's scores of one image, for its description and for the same with attributes swapped. */
export interface SwapRow {
  /** Names the image; no other row of the same metric has it. */
  readonly id: string;
  readonly metric: string;
  /** Rows of one description are not independent: intervals draw them together. */
  readonly prompt?: string | undefined;
  /** The list of descriptions, such as "outfits"; a row without is in no set. */
  readonly set?: string | undefined;
  /** The model that made the image. */
  readonly generator?: string | undefined;
  /** Null where there is no answer. */
  readonly original: number | null;
  readonly swapped: number | null;
}

/** A row of the attribute confusion benchmark, which knows all of it. */
export interface ConfusionSwapRow extends SwapRow {
  readonly prompt: string;
  readonly set: string;
  readonly generator: string;
}

export interface SwapSummary {
  /** Rows with both scores. */
  readonly n: number;
  /** Rows without. */
  readonly unscored: number;
  readonly failures: number;
  readonly ties: number;
  /** Share of n in which the swapped description scores strictly better. */
  readonly failureRate: Estimate;
  /** Share of n in which both scores tie: a metric that says nothing never fails, and ties. */
  readonly tieRate: Estimate;
  /** Share of n that fails, a tie as half a failure: 0.5 for a metric that tells nothing. */
  readonly failuresAndHalfTies: Estimate;
  /** Score of the original minus that of the swapped description, on average; as the scores are. */
  readonly difference: Estimate;
  /** The failure rate had no unscored row failed, and had all. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}

export interface SwapMetric {
  readonly overall: SwapSummary;
  readonly sets: Readonly<Record<string, SwapSummary>>;
  readonly generators: Readonly<Record<string, SwapSummary>>;
}

export interface SwapConclusion {
  readonly metrics: Readonly<Record<string, SwapMetric>>;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly n: number;
  readonly unscored: number;
  readonly intervals: IntervalMethod;
}

export interface SwapOptions extends IntervalOptions, TieOptions {
  /** Direction of each metric. Default "higher". */
  readonly directionOf?: ((metric: string) => Direction) | undefined;
}

/**
 * How often each metric prefers a description whose attributes stand on the wrong entities to the
 * true one, for the same image (L-VQAScore, section 3.2). Failing is scoring the swapped one strictly
 * better; ties (`isTie`: what rounding could do) and unscored rows are counted apart. Intervals draw
 * whole descriptions.
 *
 * @example
 * const about = { metric: "m", set: "outfits", generator: "g" };
 * swap([
 *   { ...about, id: "1", prompt: "a", original: 0.7, swapped: 0.8 },
 *   { ...about, id: "2", prompt: "b", original: 0.7, swapped: 0.7 },
 * ]).metrics.m?.overall.failureRate.value // 0.5
 */
export function swap(
  rows: readonly SwapRow[],
  {
    directionOf = () => "higher",
    tieTolerance = defaultTieTolerance,
    ...options
  }: SwapOptions = {},
): SwapConclusion {
  const all = grouped(rows, ({ metric }) => metric);
  const scored = [...all.values()].map((its) => promptClusters(its.filter(isScored)).count);
  const method = intervalMethod(options, {
    clusters: Math.max(0, largestOf(scored)),
    clusteredBy: rows.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
  });
  const metrics = [...all].map(([metric, its]): [string, SwapMetric] => {
    const summary = (some: readonly SwapRow[]) =>
      summarise(some, { direction: directionOf(metric), tieTolerance, method });
    const by = (of: (row: SwapRow) => string | undefined) =>
      Object.fromEntries([...grouped(its, of)].map(([name, some]) => [name, summary(some)]));
    return [
      metric,
      {
        overall: summary(its),
        sets: by(({ set }) => set),
        generators: by(({ generator }) => generator),
      },
    ];
  });
  const n = metrics.reduce((sum, [, { overall }]) => sum + overall.n, 0);
  return {
    metrics: Object.fromEntries(metrics),
    tieRule:
      "a tie is no failure: the swapped description has to score strictly better; " +
      tieText(tieTolerance),
    tieTolerance,
    n,
    unscored: rows.length - n,
    intervals: method,
  };
}

type Scored = SwapRow & { readonly original: number; readonly swapped: number };

const isScored = (row: SwapRow): row is Scored => row.original !== null && row.swapped !== null;

function summarise(
  rows: readonly SwapRow[],
  {
    method,
    ...rule
  }: TieOptions & { readonly direction: Direction; readonly method: IntervalMethod },
): SwapSummary {
  const scored = rows.filter(isScored);
  const outcomes = scored.map(({ original, swapped }) => outcomeOf(original, swapped, rule));
  const is = (outcome: string) => Float64Array.from(outcomes, (one) => (one === outcome ? 1 : 0));
  const { cluster, count } = promptClusters(scored);
  const table = clusterSums({
    cluster,
    group: new Int32Array(scored.length),
    columns: [
      new Float64Array(scored.length).fill(1),
      is("fail"),
      is("tie"),
      Float64Array.from(scored, ({ original, swapped }) => original - swapped),
      Float64Array.from(outcomes, (one) => (one === "fail" ? 1 : one === "tie" ? 0.5 : 0)),
    ],
    clusters: count,
    groups: 1,
  });
  const whenEmpty = "no image is scored against both descriptions";
  const term = (numerator: number) => ({
    weight: 1,
    groups: [0],
    numerator,
    denominator: 0,
    whenEmpty,
  });
  const none = undefinedEstimate(whenEmpty);
  const [failureRate = none, tieRate = none, difference = none, withTies = none] = estimate(
    table,
    [
      { terms: [term(1)], within: [0, 1] },
      { terms: [term(2)], within: [0, 1] },
      { terms: [term(3)] },
      { terms: [term(4)], within: [0, 1] },
    ],
    method,
  );
  const counted = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  const failures = counted("fail");
  const unscored = rows.length - scored.length;
  const share = (count: number) => (rows.length === 0 ? null : count / rows.length);
  return {
    n: scored.length,
    unscored,
    failures,
    ties: counted("tie"),
    failureRate: withOneSidedBound(failureRate, [term(1)], table),
    tieRate: withOneSidedBound(tieRate, [term(2)], table),
    failuresAndHalfTies: withOneSidedBound(withTies, [term(4)], table),
    difference,
    bounds: { low: share(failures), high: share(failures + unscored) },
  };
}

/** Rows by a name, names in the order in which they come; those without one are passed over. */
function grouped<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string | undefined,
): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name === undefined) continue;
    const its = found.get(name);
    if (its === undefined) found.set(name, [row]);
    else its.push(row);
  }
  return found;
}
