import type { Estimate } from "../../stats/estimate.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { GroupAverage } from "./group-average.js";

/** The coefficients that are averaged over groups, in the order of every list of them here. */
export const groupMeasures = ["spearman", "kendallTauB", "pearson", "kendallTauC"] as const;

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
