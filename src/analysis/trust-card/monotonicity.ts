import type { Estimate } from "../../stats/estimate.js";
import type { IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import { type Direction, outcomeOf } from "../pairs/pair-sums.js";
import type { TieOptions } from "../pairs/score-ties.js";
import { meanOverItems } from "./trust-card-mean.js";

/** The score of one picture at one level of a degradation; null = unscored. */
export interface DegradedScore {
  /** The picture with its text, whatever its level. */
  readonly item: string;
  readonly prompt?: string | undefined;
  /** 0 is the picture as it was. */
  readonly level: number;
  readonly score: number | null;
}

/** Measures if scores fall as pictures get worse. A series is one picture at all its levels. */
export interface Monotonicity {
  /** Series with two levels or more, all of them scored. */
  readonly n: number;
  /** Series with a level that was not scored; they are in nothing else. */
  readonly unscored: number;
  /**
   * The mean over series of Kendall's tau-a of goodness with level: pairs of levels in which the worse
   * picture has the better score, minus those in which it has the worse one, over all pairs of levels;
   * equal scores count as neither. -1 where every step makes the score worse, 0 where it does not
   * matter.
   */
  readonly tau: Estimate;
  /** The share of series in which no level has a better score than the level before it, ties apart. */
  readonly neverRises: Estimate;
  /** The mean of the score at the lowest level minus that at the highest, in the metric's unit. */
  readonly drop: Estimate;
  readonly intervals: IntervalMethod;
}

/**
 * Monotonicity of a metric under one degradation of pictures that show their texts. Kendall, "A New
 * Measure of Rank Correlation" (1938). Intervals draw whole prompts.
 *
 * @param options.direction whether more or less of the metric is better; default "higher"
 * @example
 * monotonicity([0.9, 0.7, 0.8].map((score, level) => ({ item: "a", level, score }))).tau.value // -0.333…
 */
export function monotonicity(
  rows: readonly DegradedScore[],
  {
    direction = "higher",
    tieTolerance,
    ...options
  }: IntervalOptions & TieOptions & { readonly direction?: Direction } = {},
): Monotonicity {
  const sign = direction === "higher" ? 1 : -1;
  const all = new Map<string, DegradedScore[]>();
  for (const row of rows) {
    const series = all.get(row.item) ?? [];
    all.set(row.item, series);
    series.push(row);
  }
  const several = [...all].filter(([, series]) => series.length > 1);
  const whole = several.flatMap(([id, series]) => {
    const goodness = [...series]
      .sort((a, b) => a.level - b.level)
      .flatMap(({ score }) => (score === null ? [] : [sign * score]));
    return goodness.length < series.length ? [] : [{ id, prompt: series[0]?.prompt, goodness }];
  });
  const mean = (
    numberOf: (goodness: readonly number[]) => number,
    within: readonly [number, number],
  ) =>
    meanOverItems(
      whole.map(({ id, prompt, goodness }) => ({ id, prompt, value: numberOf(goodness) })),
      { ...options, within },
    );
  const tau = mean(tauWithLevel, [-1, 1]);
  return {
    n: whole.length,
    unscored: several.length - whole.length,
    tau: tau.estimate,
    neverRises: mean((goodness) => neverRises(goodness, tieTolerance), [0, 1]).estimate,
    drop: mean(
      (goodness) => sign * ((goodness[0] ?? 0) - (goodness.at(-1) ?? 0)),
      [-Infinity, Infinity],
    ).estimate,
    intervals: tau.intervals,
  };
}

/** Kendall's tau of at least two numbers with their order of levels. */
function tauWithLevel(goodness: readonly number[]): number {
  let sum = 0;
  let pairs = 0;
  goodness.forEach((later, at) => {
    for (const earlier of goodness.slice(0, at)) {
      sum += Math.sign(later - earlier);
      pairs += 1;
    }
  });
  return sum / pairs;
}

/** Goodness: more is better. What rises by rounding alone is a tie. */
const neverRises = (goodness: readonly number[], tieTolerance: number | undefined) =>
  goodness.every((later, at) => {
    const rule = { direction: "higher", tieTolerance } as const;
    return outcomeOf(goodness[at - 1] ?? later, later, rule) !== "fail";
  })
    ? 1
    : 0;
