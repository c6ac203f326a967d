import type { Random } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { ranked } from "../../stats/ranked.js";
import type { IntervalMethod } from "../inference/intervals.js";
import { type Measure, measured, measures } from "./correlation-measures.js";
import type { GroupAverage } from "./group-average.js";

/** The coefficients that are averaged over groups, in the order of every list of them here. */
export const groupMeasures = [
  "spearman",
  "kendallTauB",
  "pearson",
  "kendallTauC",
  "pairwiseAccuracy",
] as const;

export type GroupMeasure = (typeof groupMeasures)[number];

export const groupWeights = ["equal", "n"] as const;

/** Each group counts once, or as often as it has rows with a rating and a score. */
export type GroupWeight = (typeof groupWeights)[number];

export const undefinedGroupRules = ["left-out", "zero"] as const;

/** How groups without a coefficient are treated. */
export type UndefinedGroupRule = (typeof undefinedGroupRules)[number];

export interface GroupingOptions {
  /** Default "fisher". */
  readonly average?: GroupAverage | undefined;
  /** Default "equal". */
  readonly weight?: GroupWeight | undefined;
  /**
   * Default "left-out". "zero" counts a group as 0 where people or the metric rate all its rows the
   * same, or there is only one; a group that the metric did not score at all is left out all the same.
   */
  readonly undefinedGroups?: UndefinedGroupRule | undefined;
}

/** One metric's correlations within groups, averaged. */
export interface WithinGroups extends Readonly<Record<GroupMeasure, Estimate>> {
  /** Groups with a coefficient. */
  readonly groups: number;
  /** Groups without. */
  readonly undefined: number;
  readonly average: GroupAverage;
  /** Groups of which a coefficient was clipped for Fisher's z. */
  readonly clipped: Readonly<Record<GroupMeasure, number>>;
  /** Results by the groups' names. */
  readonly each: Readonly<Record<string, GroupCoefficients>>;
}

/** How groups were averaged, for all metrics. */
export interface GroupedMethod extends Required<GroupingOptions> {
  /** Every group that has a rated row. */
  readonly groups: number;
  readonly intervals: IntervalMethod;
}

/** Null where undefined. */
export interface GroupCoefficients extends Readonly<Record<GroupMeasure, number | null>> {
  /** Rows with a rating and a score. */
  readonly n: number;
}

export const countTargets = ["f1", "precision", "recall"] as const;
export type CountTarget = (typeof countTargets)[number];

/** How images are dealt into groups. */
export interface Dealing {
  readonly target: CountTarget;
  /** How many groups; their sizes differ by at most 1. */
  readonly groups: number;
  /** How many ways of grouping are averaged. */
  readonly seeds: number;
}

/** People's counts of each image and each metric's scores of the same images. */
export interface CountedImages {
  readonly tp: Float64Array;
  readonly fp: Float64Array;
  readonly fn: Float64Array;
  readonly scores: readonly Float64Array[];
}

/**
 * All measures of each metric over groups of the images drawn, each the mean over shuffles; NaN where
 * undefined. Every metric meets the same groups, so these are dealt once.
 *
 * @param only the one measure that is wanted; default: all.
 * @returns of the images drawn and a stream for each shuffle: metric by metric, measure by measure.
 */
export function dealtMeasures(
  { tp, fp, fn, scores }: CountedImages,
  { target, groups, seeds }: Dealing,
  only?: Measure,
): (drawn: Int32Array, randomOf: (shuffle: number) => Random) => Float64Array {
  const width = only === undefined ? measures.length : 1;
  const targetOfGroup = new Float64Array(groups);
  const start = Int32Array.from({ length: groups + 1 });
  const mean = new Float64Array(groups);
  return (drawn, randomOf) => {
    const means = new Float64Array(scores.length * width);
    if (drawn.length < groups) return means.fill(Number.NaN);
    for (let group = 0; group <= groups; group++) {
      start[group] = Math.floor((group * drawn.length) / groups);
    }
    for (let shuffle = 0; shuffle < seeds; shuffle++) {
      const order = shuffled(drawn, randomOf(shuffle));
      for (let group = 0; group < groups; group++) {
        let [hits, alarms, misses] = [0, 0, 0];
        for (let at = start[group] ?? 0; at < (start[group + 1] ?? 0); at++) {
          const image = order[at] ?? 0;
          hits += tp[image] ?? 0;
          alarms += fp[image] ?? 0;
          misses += fn[image] ?? 0;
        }
        targetOfGroup[group] = targetOf(target, hits, alarms, misses);
      }
      const isDefined = (_: unknown, group: number) => !Number.isNaN(targetOfGroup[group]);
      const targets = targetOfGroup.filter(isDefined);
      const places = Int32Array.from(targets.keys());
      const byTarget = ranked(targets);
      for (let metric = 0; metric < scores.length; metric++) {
        const score = scores[metric] ?? new Float64Array();
        for (let group = 0; group < groups; group++) {
          let sum = 0;
          const end = start[group + 1] ?? 0;
          const from = start[group] ?? 0;
          for (let at = from; at < end; at++) sum += score[order[at] ?? 0] ?? 0;
          mean[group] = sum / (end - from);
        }
        const its = measured(mean.filter(isDefined), targets, places, { y: byTarget });
        const found = only === undefined ? its.values() : [its.value(only)];
        for (let which = 0; which < width; which++) {
          const at = metric * width + which;
          means[at] = (means[at] ?? 0) + (found[which] ?? Number.NaN) / seeds;
        }
      }
    }
    return means;
  };
}

function targetOf(target: CountTarget, tp: number, fp: number, fn: number): number {
  if (target === "precision") return tp / (tp + fp);
  return target === "recall" ? tp / (tp + fn) : (2 * tp) / (2 * tp + fp + fn);
}

/** A shuffled copy (Fisher and Yates). */
function shuffled(images: Int32Array, random: Random): Int32Array {
  const order = images.slice();
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    const held = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = held;
  }
  return order;
}
