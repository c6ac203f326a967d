import { largestOf } from "../../core/extremes.js";
import type { Estimate } from "../../stats/estimate.js";
import { largestForFisher } from "../../stats/fisher-z.js";
import { type IntervalOptions, intervalMethod } from "../inference/intervals.js";
import type { Column } from "./correlation-columns.js";
import { measured, measures } from "./correlation-measures.js";
import { groupAverage, groupAverageDifference, type WeightedGroups } from "./group-average.js";
import {
  type GroupCoefficients,
  type GroupedMethod,
  type GroupingOptions,
  type GroupMeasure,
  groupMeasures,
  type WithinGroups,
} from "./grouping.js";

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
  const most = Math.max(0, largestOf(counted.map(({ length }) => length)));
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
        kendallTauC: of("kendallTauC"),
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

const none = { n: 0, spearman: null, kendallTauB: null, pearson: null, kendallTauC: null };

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
    const of = (measure: GroupMeasure) => values[measures.indexOf(measure)] ?? Number.NaN;
    const isDefined = !groupMeasures.some((measure) => Number.isNaN(of(measure)));
    return isDefined
      ? {
          n: its.length,
          spearman: of("spearman"),
          kendallTauB: of("kendallTauB"),
          pearson: of("pearson"),
          kendallTauC: of("kendallTauC"),
        }
      : { ...none, n: its.length };
  });
}
