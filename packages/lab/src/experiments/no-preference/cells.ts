import {
  undefinedEstimate,
  withInterval,
} from "touchstone-t2i/internal/analysis/inference/intervals.js";
import { withBoundAfter } from "touchstone-t2i/internal/analysis/inference/one-sided-bound.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { benjaminiYekutieliWhereTested } from "touchstone-t2i/internal/stats/adjusted-p-values.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import { signFlipTest } from "touchstone-t2i/internal/stats/sign-flip-test.js";

/** One method's answers to held-out pairs of an image and its copy, of one degradation. */
export interface CopyCell {
  readonly degradation: string;
  /** Number of pairs. */
  readonly n: number;
  /** Share of right answers; interval by a bootstrap of captions. */
  readonly accuracy: Estimate;
  /** Mean max(p, 1 - p) of all answers; interval by a bootstrap of captions. */
  readonly confidence: Estimate;
}

/** One method at one setting. */
export interface NoPreferenceCell {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  /** Mean max(p, 1 - p) on pairs in which neither image is better: 0.5 is best. By a bootstrap of captions. */
  readonly confidence: Estimate;
  /** Share of right answers on held-out pairs of an image and its degraded copy. */
  readonly accuracy: Estimate;
  /** The same copies by degradation; empty where no pair names one. */
  readonly copies: readonly CopyCell[];
  /** True of the lowest confidence at its setting. */
  readonly isBest: boolean;
  /** Adjusted p-value of a paired test by caption against the lowest; null for the lowest. */
  readonly pAdjusted: number | null;
}

/** Sums of one method at one setting over all its runs, at [caption]. */
export interface ConfidenceSums {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  readonly confidence: Float64Array;
  readonly right: Float64Array;
  /** Sums over pairs with a degraded copy, by degradation. */
  readonly copies: ReadonlyMap<string, CopySums>;
}

/** Sums of one method's answers to pairs with a degraded copy over all its runs, at [caption]. */
export interface CopySums {
  readonly confidence: Float64Array;
  readonly right: Float64Array;
}

interface Counts {
  /** Pairs in which neither image is better, at [caption]. */
  readonly equal: Float64Array;
  /** Pairs of an image and its degraded copy, at [caption]. */
  readonly degraded: Float64Array;
  /** The same by degradation. */
  readonly copies: ReadonlyMap<string, Float64Array>;
  /** How often each pair was judged. */
  readonly runs: number;
  readonly resamples: number;
  readonly permutations: number;
}

/** Returns means with intervals from a bootstrap of captions, and p-values of sign-flip tests by caption. */
export function preferenceCells(
  sums: readonly ConfidenceSums[],
  counts: Counts,
): NoPreferenceCell[] {
  const { equal, degraded, runs, permutations } = counts;
  const settings = [...new Set(sums.map(({ prompts, labels }) => `${prompts} ${labels}`))];
  const cells = settings.flatMap((setting) => {
    const group = sums.filter(({ prompts, labels }) => `${prompts} ${labels}` === setting);
    const total = ({ confidence }: ConfidenceSums) =>
      confidence.reduce((all, each) => all + each, 0);
    const best = group.reduce((one, other) => (total(other) < total(one) ? other : one));
    return group.map((each) => {
      const { method, prompts, labels } = each;
      return {
        cell: {
          method,
          prompts,
          labels,
          isBest: each === best,
          confidence: ratio(each.confidence, equal, counts, setting),
          accuracy: accuracyOf(each.right, degraded, counts, setting),
          copies: copyCells(each, counts, setting),
        },
        p:
          each === best
            ? null
            : signFlipTest(
                each.confidence.map(
                  (sum, caption) => (sum - (best.confidence[caption] ?? 0)) / runs,
                ),
                { permutations, random: randomFrom(0, "no preference test", setting, method) },
              ).p,
      };
    });
  });
  const adjusted = benjaminiYekutieliWhereTested(cells.map(({ p }) => p));
  return cells.map(({ cell }, at) => ({ ...cell, pAdjusted: adjusted[at] ?? null }));
}

/** Returns a method's answers to degraded copies, by degradation. */
const copyCells = ({ copies }: ConfidenceSums, counts: Counts, setting: string): CopyCell[] =>
  [...copies].map(([degradation, { confidence, right }]) => {
    const pairs = counts.copies.get(degradation) ?? new Float64Array(right.length);
    return {
      degradation,
      n: pairs.reduce((all, each) => all + each, 0),
      accuracy: accuracyOf(right, pairs, counts, setting),
      confidence: ratio(confidence, pairs, counts, setting),
    };
  });

/** Share of right answers, in [0, 1]; with an exact one-sided bound where it is 0 or 1. */
const accuracyOf = (right: Float64Array, pairs: Float64Array, counts: Counts, setting: string) =>
  withBoundAfter(
    ratio(right, pairs, counts, setting),
    () => pairs.filter((count) => count > 0).length,
  );

/** Mean over pairs, with an interval from a bootstrap of the captions that have one. */
function ratio(
  allSums: Float64Array,
  allPairs: Float64Array,
  { runs, resamples }: Counts,
  setting: string,
): Estimate {
  const sums = allSums.filter((_, caption) => (allPairs[caption] ?? 0) > 0);
  const pairs = allPairs.filter((count) => count > 0);
  const statistic = (drawn: ArrayLike<number>) => {
    let sum = 0;
    let count = 0;
    for (let at = 0; at < drawn.length; at++) {
      sum += sums[drawn[at] ?? 0] ?? 0;
      count += pairs[drawn[at] ?? 0] ?? 0;
    }
    return sum / (runs * count);
  };
  const value = statistic(Array.from(sums, (_, caption) => caption));
  if (Number.isNaN(value)) return undefinedEstimate("no such pair was judged");
  const interval = bootstrapInterval({
    units: sums.length,
    statistic,
    resamples,
    random: randomFrom(0, "no preference interval", setting),
  });
  return withInterval(value, interval, { whenNone: "no interval from one caption" });
}
