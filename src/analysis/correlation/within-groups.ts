import { largestOf } from "../../core/arrays.js";
import { picked, type RowCodes, rowsByCode } from "../../core/row-codes.js";
import type { TextColumn } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { largestForFisher } from "../../stats/fisher-z.js";
import { type IntervalOptions, intervalMethod, undefinedEstimate } from "../inference/intervals.js";
import type { Column } from "./correlation-columns.js";
import { measured, measureRange, measures } from "./correlation-measures.js";
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
 * @param group that of each rated row; undefined where all are of one.
 */
export function withinGroups(
  columns: readonly Column[],
  group: TextColumn | undefined,
  options: GroupingOptions & IntervalOptions,
): GroupedCorrelations {
  const { names, codes } = group === undefined ? oneGroup(columns) : occurring(group);
  const each = columns.map((column) => coefficients(column, { codes, count: names.length }));
  return averagedGroups(names, each, options);
}

/**
 * Averages of what is known of each group.
 *
 * @param each for each metric the coefficients of each group.
 * @param options.lacking why Spearman's and Pearson's are not known, where they are not.
 */
export function averagedGroups(
  names: readonly string[],
  each: readonly (readonly GroupCoefficients[])[],
  {
    average = "fisher",
    weight = "equal",
    undefinedGroups = "left-out",
    lacking,
    ...options
  }: GroupingOptions & IntervalOptions & { readonly lacking?: string },
): GroupedCorrelations {
  // Fisher's z is of what lies between -1 and 1.
  const averageOf = (measure: GroupMeasure) => (measure === "pairwiseAccuracy" ? "mean" : average);
  const isCounted = ({ n, kendallTauB }: GroupCoefficients) =>
    kendallTauB !== null || (undefinedGroups === "zero" && n > 0);
  const averageOptions = (groups: number, measure: GroupMeasure) => ({
    average: averageOf(measure),
    range: measureRange(measure),
    method: intervalMethod(options, { clusters: groups, clusteredBy: "group" }),
  });
  const weighted = (
    groups: readonly GroupCoefficients[],
    measure: GroupMeasure,
  ): WeightedGroups => ({
    coefficients: groups.map(
      (group) => group[measure] ?? (measure === "pairwiseAccuracy" ? 0.5 : 0),
    ),
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
      intervals: averageOptions(most, "kendallTauB").method,
    },
    metrics: each.map((all, at): WithinGroups => {
      const groups = counted[at] ?? [];
      const defined = all.filter(({ kendallTauB }) => kendallTauB !== null);
      const ofEach = <Value>(of: (measure: GroupMeasure) => Value) => ({
        spearman: of("spearman"),
        kendallTauB: of("kendallTauB"),
        pearson: of("pearson"),
        kendallTauC: of("kendallTauC"),
        pairwiseAccuracy: of("pairwiseAccuracy"),
      });
      const isClipped = (measure: GroupMeasure, r: number | null) =>
        averageOf(measure) === "fisher" && r !== null && Math.abs(r) > largestForFisher;
      return {
        groups: defined.length,
        undefined: all.length - defined.length,
        average,
        ...ofEach((measure) =>
          lacking === undefined || (measure !== "spearman" && measure !== "pearson")
            ? groupAverage(weighted(groups, measure), averageOptions(groups.length, measure))
            : undefinedEstimate(lacking),
        ),
        clipped: ofEach(
          (measure) => defined.filter((group) => isClipped(measure, group[measure])).length,
        ),
        each: Object.fromEntries(names.map((name, group) => [name, all[group] ?? noCoefficients])),
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
        averageOptions(both.length, measure),
      );
    },
  };
}

/** A group without a coefficient. */
export const noCoefficients = {
  n: 0,
  spearman: null,
  kendallTauB: null,
  pearson: null,
  kendallTauC: null,
  pairwiseAccuracy: null,
};

const oneGroup = (columns: readonly Column[]): TextColumn => {
  const rows = Math.max(0, largestOf(columns.map(({ rows }) => (rows.at(-1) ?? -1) + 1)));
  return { names: [""], codes: new Int32Array(rows) };
};

/** The groups that rows have, by name. */
function occurring({ names, codes }: TextColumn): TextColumn {
  const isThere = new Uint8Array(names.length);
  for (const code of codes) isThere[code] = 1;
  const found = [...names.keys()].filter((code) => isThere[code] === 1);
  found.sort((a, b) => ((names[a] ?? "") < (names[b] ?? "") ? -1 : 1));
  const place = new Int32Array(names.length);
  for (const [at, code] of found.entries()) place[code] = at;
  return {
    names: found.map((code) => names[code] ?? ""),
    codes: codes.map((code) => place[code] ?? 0),
  };
}

/** A metric's coefficients in each group. */
function coefficients({ rows, scores, ratings }: Column, groups: RowCodes): GroupCoefficients[] {
  const { start, rows: members } = rowsByCode({ ...groups, codes: picked(groups.codes, rows) });
  return Array.from({ length: groups.count }, (_, group) => {
    const its = members.subarray(start[group], start[group + 1]);
    const own = [picked(scores, its), picked(ratings, its)] as const;
    const values = measured(...own, Int32Array.from(its.keys())).values();
    const of = (measure: GroupMeasure) => values[measures.indexOf(measure)] ?? Number.NaN;
    const isDefined = !groupMeasures.some((measure) => Number.isNaN(of(measure)));
    return isDefined
      ? {
          n: its.length,
          spearman: of("spearman"),
          kendallTauB: of("kendallTauB"),
          pearson: of("pearson"),
          kendallTauC: of("kendallTauC"),
          pairwiseAccuracy: of("pairwiseAccuracy"),
        }
      : { ...noCoefficients, n: its.length };
  });
}
