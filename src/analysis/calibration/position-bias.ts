import type { RecordOf } from "../../core/records.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { fewClusters } from "../inference/few-clusters.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";

/** How much a judge favours the image that it is shown first, whichever that is. */
export interface PlaceBias {
  /** Pairs (of all prompts together: pairs by prompts) that were judged in both orders. */
  readonly n: number;
  /** Pairs without an answer in one order or both. */
  readonly unscored: number;
  /**
   * Mean P(the image shown first is better) - 1/2, in [-1/2, 1/2], a tie counting half: 0 without
   * bias, above 0 for the first place.
   */
  readonly bias: Estimate;
  /** The share of pairs whose decision is the other one in the other order; a tie contradicts none. */
  readonly inconsistent: Estimate;
}

export interface PositionBiasConclusion {
  readonly overall: PlaceBias;
  /** Results by wording: a prompt's name without its order. */
  readonly prompts: Readonly<Record<string, PlaceBias>>;
  readonly intervals: IntervalMethod;
  readonly warnings: readonly string[];
}

/**
 * The bias of a judge for a place, overall and by prompt. Only pairs judged in both orders count: there
 * the better image stands first once and second once, so that its being better falls out. Intervals
 * draw whole pairs; of several trials the mean counts.
 *
 * @param judgments of one model, in one way of asking
 */
export function positionBias(
  judgments: Iterable<RecordOf<"judgment">>,
  options: IntervalOptions = {},
): PositionBiasConclusion {
  const cells = cellsOf(judgments);
  const wordings = [...new Set(cells.map(({ wording }) => wording))];
  const isComplete = ({ a, b }: Cell) => a.count > 0 && b.count > 0;
  const pairs = [...new Set(cells.filter(isComplete).map(({ pair }) => pair))];
  const groupOf = new Map(wordings.map((wording, at) => [wording, at]));
  const clusterOf = new Map(pairs.map((pair, at) => [pair, at]));
  const complete = cells.filter(isComplete).map(({ wording, pair, a, b }) => {
    const [whenA, whenB] = [a.sum / a.count, b.sum / b.count];
    return {
      group: groupOf.get(wording) ?? 0,
      cluster: clusterOf.get(pair) ?? 0,
      bias: placeBias(whenA, whenB),
      inconsistent: contradicts(whenA, whenB) ? 1 : 0,
    };
  });
  const intervals = intervalMethod(options, {
    clusters: pairs.length,
    clusteredBy: "pair",
  });
  const table = clusterSums({
    cluster: Int32Array.from(complete, ({ cluster }) => cluster),
    group: Int32Array.from(complete, ({ group }) => group),
    columns: [
      new Float64Array(complete.length).fill(1),
      Float64Array.from(complete, ({ bias }) => bias),
      Float64Array.from(complete, ({ inconsistent }) => inconsistent),
    ],
    clusters: pairs.length,
    groups: wordings.length,
  });
  const places = [wordings.map((_, at) => at), ...wordings.map((_, at) => [at])];
  const estimates = estimate(
    table,
    places.flatMap((groups) => [mean(groups, 1, [-1 / 2, 1 / 2]), mean(groups, 2, [0, 1])]),
    intervals,
  );
  const [overall = nothing, ...byWording] = places.map((groups, at): PlaceBias => {
    const inGroups = new Set(groups);
    const n = complete.filter(({ group }) => inGroups.has(group)).length;
    const all = cells.filter(({ wording }) => inGroups.has(groupOf.get(wording) ?? -1)).length;
    const [bias = none, inconsistent = none] = estimates.slice(2 * at, 2 * at + 2);
    return { n, unscored: all - n, bias, inconsistent };
  });
  return {
    overall,
    prompts: Object.fromEntries(wordings.map((wording, at) => [wording, byWording[at] ?? nothing])),
    intervals,
    warnings: fewClusters(intervals),
  };
}

/**
 * P(the image shown first is better) - 1/2 of one pair, over both orders.
 *
 * @param first that probability in one order
 * @param turned the same in the other order, in which the other image stands first
 * @example placeBias(0.9, 0.5) // 0.2
 */
export const placeBias = (first: number, turned: number): number => (first + turned) / 2 - 1 / 2;

/** Tests if the same place wins in both orders, so that the images differ; a tie contradicts none. */
export const contradicts = (first: number, turned: number): boolean =>
  (first - 1 / 2) * (1 / 2 - turned) < 0;

const noPair = "no pair was judged in both orders";
const none = undefinedEstimate(noPair);
const nothing: PlaceBias = { n: 0, unscored: 0, bias: none, inconsistent: none };

const mean = (groups: readonly number[], numerator: number, within: readonly [number, number]) => ({
  terms: [
    {
      weight: 1,
      groups,
      numerator,
      denominator: 0,
      whenEmpty: noPair,
    },
  ],
  within,
});

/** One wording's answers about a pair: P(shown first) summed over answers, by which image was first. */
interface Cell {
  readonly wording: string;
  readonly pair: string;
  readonly a: { sum: number; count: number };
  readonly b: { sum: number; count: number };
}

function cellsOf(judgments: Iterable<RecordOf<"judgment">>): Cell[] {
  const cells = new Map<string, Cell>();
  for (const judgment of judgments) {
    const wording = judgment.prompt.replace(/\/[^/]*$/, "");
    const id = JSON.stringify([wording, judgment.pair]);
    const known = cells.get(id);
    const cell = known ?? { wording, pair: judgment.pair, a: empty(), b: empty() };
    if (known === undefined) cells.set(id, cell);
    if (judgment.status === "unscored") continue;
    const { firstShown, probabilities } = judgment;
    const seen = cell[firstShown];
    seen.sum += probabilities[firstShown] + probabilities.tie / 2;
    seen.count++;
  }
  return [...cells.values()];
}

const empty = () => ({ sum: 0, count: 0 });
