import { largestOf, smallestOf } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  noSpread,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { boundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import { meanOverItems } from "./trust-card-line.js";

/** One of several scores of the same item; null = unscored. */
export interface RepeatedScore {
  /** The item that was scored several times: an image with its prompt. */
  readonly item: string;
  readonly prompt?: string | undefined;
  readonly score: number | null;
}

/** How far scores of one item lie apart where they ought to be the same. */
export interface ScoreSpread {
  /** Items with two scores or more. */
  readonly items: number;
  /** Scores of these. */
  readonly n: number;
  /** Scores that there are not; an item keeps those that it has. */
  readonly unscored: number;
  /**
   * The share of one score's variance that lies within items: 1 minus the intraclass correlation
   * ICC(1) of a one-way layout, in [0, 1], whose expectation does not depend on how often an item was
   * scored. 0 where asking otherwise changes nothing, 1 where it is all that moves scores.
   */
  readonly varianceShare: Estimate;
  /** The mean over items of highest minus lowest, in the metric's unit. */
  readonly range: Estimate;
  /** The share of items whose scores are all the same number. */
  readonly identical: Estimate;
  readonly intervals: IntervalMethod;
}

/**
 * The spread of scores within items: over wordings of one text (paraphrase spread), or over trials of
 * the same asking (repeatability). Fisher, "Statistical Methods for Research Workers" (1925), chapter
 * VII, for the parts of variance; Donner, "A review of inference procedures for the intraclass
 * correlation coefficient" (1986), for unequal numbers of scores. Intervals: a percentile bootstrap of
 * whole prompts.
 *
 * @example
 * scoreSpread([
 *   { item: "a", score: 0.1 }, { item: "a", score: 0.3 },
 *   { item: "b", score: 0.9 }, { item: "b", score: 0.9 },
 * ]).range.value // 0.1
 */
export function scoreSpread(
  rows: readonly RepeatedScore[],
  options: IntervalOptions = {},
): ScoreSpread {
  const groups = new Map<string, { prompt: string | undefined; scores: number[] }>();
  for (const { item, prompt, score } of rows) {
    const group = groups.get(item) ?? { prompt, scores: [] };
    groups.set(item, group);
    if (score !== null) group.scores.push(score);
  }
  const repeated = [...groups]
    .filter(([, { scores }]) => scores.length > 1)
    .map(([id, group]) => ({ id, ...group }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const mean = (
    numberOf: (scores: readonly number[]) => number,
    within?: readonly [number, number],
  ) =>
    meanOverItems(
      repeated.map(({ id, prompt, scores }) => ({ id, prompt, value: numberOf(scores) })),
      { ...options, ...(within === undefined ? {} : { within }) },
    );
  const range = mean((scores) => largestOf(scores) - smallestOf(scores), [0, Infinity]);
  const identical = mean((scores) => (new Set(scores).size === 1 ? 1 : 0), [0, 1]);
  return {
    items: repeated.length,
    n: repeated.reduce((sum, { scores }) => sum + scores.length, 0),
    unscored: rows.filter(({ score }) => score === null).length,
    varianceShare: varianceShareOf(repeated, options),
    range: range.estimate,
    identical: identical.estimate,
    intervals: range.intervals,
  };
}

interface Group {
  readonly id: string;
  readonly prompt: string | undefined;
  readonly scores: readonly number[];
}

function varianceShareOf(groups: readonly Group[], options: IntervalOptions): Estimate {
  if (groups.length < 2) return undefinedEstimate("fewer than two items were scored twice");
  const parts = groups.map(({ scores }) => {
    // The mean of equal scores may differ in its last digit, and 0 is to be 0.
    const [first = 0] = scores;
    if (new Set(scores).size === 1) return { count: scores.length, mean: first, squares: 0 };
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const squares = scores.reduce((sum, score) => sum + square(score - mean), 0);
    return { count: scores.length, mean, squares };
  });
  const share = (weights?: Float64Array): number => {
    let items = 0;
    let n = 0;
    let countSquares = 0;
    let sum = 0;
    let inside = 0;
    parts.forEach(({ count, mean, squares }, at) => {
      const weight = weights === undefined ? 1 : (weights[at] ?? 0);
      items += weight;
      n += weight * count;
      countSquares += weight * square(count);
      sum += weight * count * mean;
      inside += weight * squares;
    });
    const grand = sum / n;
    const outside = parts.reduce((total, { count, mean }, at) => {
      const weight = weights === undefined ? 1 : (weights[at] ?? 0);
      return total + weight * count * square(mean - grand);
    }, 0);
    const within = inside / (n - items);
    const perItem = (n - countSquares / n) / (items - 1);
    const between = Math.max(0, (outside / (items - 1) - within) / perItem);
    return within / (within + between);
  };
  const value = share();
  if (Number.isNaN(value)) return undefinedEstimate("all scores are the same");
  const { cluster, count } = promptClusters(groups);
  // The share has no delta interval of its own; its resamples are cheap.
  const method = intervalMethod(
    { ...options, interval: "percentile" },
    { clusters: count, clusteredBy: "prompt" },
  );
  const samples = weightedSamples((weights) => [share(weights)], {
    cluster,
    clusters: count,
    count: 1,
    method,
    random: randomFrom(method.seed ?? 0, "spread bootstrap"),
  });
  const interval = count < 2 ? undefined : sampledInterval(value, samples, 0);
  const within = [0, 1] as const;
  const estimate = withInterval(value, interval, {
    within,
    whenNone: "no interval from one prompt",
  });
  // Taking scores that would differ within an item to spread as much as those of others do.
  return estimate.reason === noSpread
    ? { ...estimate, oneSided: boundAfter(value, { draws: count, within }) }
    : estimate;
}
