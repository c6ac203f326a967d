import { undefinedEstimate, withInterval } from "../analysis/inference/intervals.js";
import { withBoundAfter } from "../analysis/inference/one-sided-bound.js";
import { randomFrom } from "../core/random.js";
import { benjaminiYekutieli } from "../stats/benjamini-yekutieli.js";
import { bootstrapInterval } from "../stats/bootstrap-interval.js";
import type { Estimate } from "../stats/estimate.js";
import { signFlipTest } from "../stats/sign-flip-test.js";
import type { CopyCell, NoPreferenceCell } from "./no-preference-design.js";

/** Sums of one method at one setting, caption by caption, over all its runs. */
export interface ConfidenceSums {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  readonly confidence: Float64Array;
  readonly right: Float64Array;
  /** The same of degraded copies alone, by the way in which they were degraded. */
  readonly copies: ReadonlyMap<string, CopySums>;
}

/** Sums of one method's answers about degraded copies of one kind, caption by caption, over all its runs. */
export interface CopySums {
  readonly confidence: Float64Array;
  readonly right: Float64Array;
}

interface Counts {
  /** Pairs of each caption, of which neither is better. */
  readonly equal: Float64Array;
  /** Pairs of each caption of an image and its degraded copy. */
  readonly degraded: Float64Array;
  /** The same by the way in which the copy was degraded. */
  readonly copies: ReadonlyMap<string, Float64Array>;
  /** How often each pair was judged. */
  readonly runs: number;
  readonly resamples: number;
  readonly permutations: number;
}

/** Means with intervals that draw captions, and tests that turn the signs of captions' differences. */
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
  const adjusted = benjaminiYekutieli(cells.flatMap(({ p }) => (p === null ? [] : [p])));
  let at = 0;
  return cells.map(({ cell, p }) => ({
    ...cell,
    pAdjusted: p === null ? null : (adjusted[at++] ?? 1),
  }));
}

/** A method's answers on degraded copies, kind by kind. */
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

/** A share of right answers; of none or all with its bound. */
const accuracyOf = (right: Float64Array, pairs: Float64Array, counts: Counts, setting: string) =>
  withBoundAfter(
    ratio(right, pairs, counts, setting),
    () => pairs.filter((count) => count > 0).length,
  );

/** The mean over pairs, captions that have one drawn with replacement. */
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
