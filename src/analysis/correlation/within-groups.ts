import type { Estimate } from "../../stats/estimate.js";
import { largestForFisher } from "../../stats/fisher-z.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import type { Column } from "./correlation-columns.js";
import { measured } from "./correlation-measures.js";
import {
  type GroupAverage,
  groupAverage,
  groupAverageDifference,
  type WeightedGroups,
} from "./group-average.js";

export const groupWeights = ["equal", "n"] as const;
/** Each group counts once, or as often as it has rows with a rating and a score. */
export type GroupWeight = (typeof groupWeights)[number];
export const undefinedGroupRules = ["left-out", "zero"] as const;
/** How groups without a coefficient are treated. */
export type UndefinedGroupRule = (typeof undefinedGroupRules)[number];

/** The coefficients that are averaged over groups, in the order of every list of them here. */
export const groupMeasures = ["spearman", "kendallTauB", "pearson"] as const;
export type GroupMeasure = (typeof groupMeasures)[number];

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

/** Null where undefined. */
export interface GroupCoefficients extends Readonly<Record<GroupMeasure, number | null>> {
  /** Rows with a rating and a score. */
  readonly n: number;
}

/** How groups were averaged, for all metrics. */
export interface GroupedMethod extends Required<GroupingOptions> {
  /** Every group that has a rated row. */
  readonly groups: number;
  readonly intervals: IntervalMethod;
}

/** All metrics' averages, and what compares two of them. */
export interface GroupedCorrelations {
  readonly method: GroupedMethod;
  readonly metrics: readonly WithinGroups[];
  /** The average of one metric minus that of another, over the groups that both have. */
  difference(one: number, other: number, measure: GroupMeasure): Estimate;
}

/**
 * Correlations of each group of rows by itself (a task, a model), averaged over groups. Groups lie at
 * levels of their own, and pooled rows mix what is between groups with what is within. Intervals draw
 * whole groups with replacement, with the coefficients that they have: they tell of other groups such
 * as these, and of two or three they tell little.
 *
 * @param columns of each metric, over the same rated rows.
 * @param groupOf the group of each rated row.
 */
export function withinGroups(
  columns: readonly Column[],
  groupOf: readonly string[],
  {
    average = "fisher",
    weight = "equal",
    undefinedGroups = "left-out",
    ...options
  }: GroupingOptions & IntervalOptions,
): GroupedCorrelations {
  const names = [...new Set(groupOf)].sort((a, b) => (a < b ? -1 : 1));
  const each = columns.map((column) => coefficients(column, groupOf, names));
  const isCounted = ({ n, spearman }: GroupCoefficients) =>
    spearman !== null || (undefinedGroups === "zero" && n > 0);
  const averageOptions = (groups: number) => ({
    average,
    method: intervalMethod(options, { clusters: groups, clusteredBy: "group" }),
  });
  const weighted = (
    groups: readonly GroupCoefficients[],
    measure: GroupMeasure,
  ): WeightedGroups => ({
    coefficients: groups.map((group) => group[measure] ?? 0),
    weights: groups.map(({ n }) => (weight === "n" ? n : 1)),
  });
  const counted = each.map((groups) => groups.filter(isCounted));
  const most = Math.max(0, ...counted.map(({ length }) => length));
  return {
    method: {
      average,
      weight,
      undefinedGroups,
      groups: names.length,
      intervals: averageOptions(most).method,
    },
    metrics: each.map((all, at): WithinGroups => {
      const groups = counted[at] ?? [];
      const defined = all.filter(({ spearman }) => spearman !== null);
      const ofEach = <Value>(of: (measure: GroupMeasure) => Value) => ({
        spearman: of("spearman"),
        kendallTauB: of("kendallTauB"),
        pearson: of("pearson"),
      });
      const isClipped = (r: number | null) =>
        average === "fisher" && r !== null && Math.abs(r) > largestForFisher;
      return {
        groups: defined.length,
        undefined: all.length - defined.length,
        average,
        ...ofEach((measure) =>
          groupAverage(weighted(groups, measure), averageOptions(groups.length)),
        ),
        clipped: ofEach((measure) => defined.filter((group) => isClipped(group[measure])).length),
        each: Object.fromEntries(names.map((name, group) => [name, all[group] ?? none])),
      };
    }),
    difference(one, other, measure) {
      const both = names.flatMap((_, group) => {
        const [mine, others] = [each[one]?.[group], each[other]?.[group]];
        return mine && others && isCounted(mine) && isCounted(others) ? [{ mine, others }] : [];
      });
      return groupAverageDifference(
        weighted(
          both.map(({ mine }) => mine),
          measure,
        ),
        weighted(
          both.map(({ others }) => others),
          measure,
        ),
        averageOptions(both.length),
      );
    },
  };
}

const none = { n: 0, spearman: null, kendallTauB: null, pearson: null };

/** A metric's coefficients in each group. */
function coefficients(
  { rows, scores, ratings }: Column,
  groupOf: readonly string[],
  names: readonly string[],
): GroupCoefficients[] {
  const members = new Map(names.map((name): [string, number[]] => [name, []]));
  rows.forEach((row, at) => {
    members.get(groupOf[row] ?? "")?.push(at);
  });
  return [...members.values()].map((its) => {
    const own = (values: Float64Array) => Float64Array.from(its, (at) => values[at] ?? 0);
    const values = measured(own(scores), own(ratings), Int32Array.from(its.keys())).values();
    const [spearman = Number.NaN, kendallTauB = Number.NaN, pearson = Number.NaN] = values;
    const isDefined = ![spearman, kendallTauB, pearson].some(Number.isNaN);
    return isDefined
      ? { n: its.length, spearman, kendallTauB, pearson }
      : { ...none, n: its.length };
  });
}
