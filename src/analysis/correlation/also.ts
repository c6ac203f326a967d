import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { holm } from "../../stats/holm.js";
import { pearson } from "../../stats/pearson.js";
import { williamsTest } from "../../stats/williams-test.js";
import { isByInfluence, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import {
  type Also,
  type AlsoColumns,
  type AlsoMeasure,
  alsoMeasured,
  measuresOf,
} from "./also-measures.js";
import type { Clustering } from "./correlation-intervals.js";
import type { CorrelationRow } from "./correlation-row.js";
import { groupAverage } from "./group-average.js";
import type { GroupedMethod } from "./grouping.js";

/** Estimates by measure, of those that were asked for. */
export type AlsoEstimates = { readonly [Measure in AlsoMeasure]?: Estimate };

/** Williams' test of one metric against another, on the rows that both scored and people rated. */
export interface WilliamsResult {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  /** Pearson's correlation with people of a minus that of b. */
  readonly difference: number | null;
  readonly t: number | null;
  readonly df: number | null;
  readonly p: number | null;
  /** Holm's adjustment over all pairs. */
  readonly pAdjusted: number | null;
}

/**
 * What was asked for of one metric, with intervals that draw whole prompts. A row that lacks a value to be
 * held constant is left out of partial correlations, and of these alone.
 */
export function alsoEstimates(
  rated: readonly CorrelationRow[],
  at: number,
  also: Also,
  clustering: Clustering,
): AlsoEstimates {
  const found = measuresOf(also).map((measure): [AlsoMeasure, Estimate] => {
    const { rows, columns } = columnsOf(rated, at, measure);
    const measured = alsoMeasured(columns, [measure]);
    const value = measured()[0] ?? Number.NaN;
    if (Number.isNaN(value)) return [measure, undefinedEstimate(whyUndefined(rows.length))];
    const { method } = clustering;
    if (isByInfluence(method.method)) {
      const reason = `no interval by ${method.method === "t" ? "Student's t" : "the delta method"}`;
      return [measure, { value, low: null, high: null, reason }];
    }
    const own = new Float64Array(rows.length);
    const samples = weightedSamples(
      (weights) => {
        for (let row = 0; row < own.length; row++) own[row] = weights[rows[row] ?? 0] ?? 0;
        return measured(own);
      },
      {
        ...clustering,
        count: 1,
        random: randomFrom(method.seed ?? 0, "clustered bootstrap"),
      },
    );
    const whenNone = `no interval from one ${method.clusteredBy}`;
    return [
      measure,
      withInterval(value, sampledInterval(value, samples, 0), { within: [-1, 1], whenNone }),
    ];
  });
  return Object.fromEntries(found);
}

/** The same within groups, averaged, with the weights and the rule for undefined groups that the others have. */
export function alsoWithin(
  rated: readonly CorrelationRow[],
  at: number,
  also: Also,
  { average, weight, undefinedGroups, intervals: method }: GroupedMethod,
): AlsoEstimates {
  const groups = new Map<string, CorrelationRow[]>();
  for (const row of rated) {
    const its = groups.get(row.group ?? "");
    if (its === undefined) groups.set(row.group ?? "", [row]);
    else its.push(row);
  }
  const found = measuresOf(also).map((measure): [AlsoMeasure, Estimate] => {
    const counted = [...groups.values()].flatMap((its) => {
      const { rows, columns } = columnsOf(its, at, measure);
      const [value = Number.NaN] = alsoMeasured(columns, [measure])();
      if (!Number.isNaN(value)) return [{ value, n: rows.length }];
      return undefinedGroups === "zero" && rows.length > 0 ? [{ value: 0, n: rows.length }] : [];
    });
    const weighted = {
      coefficients: counted.map(({ value }) => value),
      weights: counted.map(({ n }) => (weight === "n" ? n : 1)),
    };
    return [measure, groupAverage(weighted, { average: average ?? "fisher", method })];
  });
  return Object.fromEntries(found);
}

/** Williams' test of every two metrics; rows count as independent. */
export function williamsTests(
  metrics: readonly string[],
  rated: readonly CorrelationRow[],
): WilliamsResult[] {
  const pairs = metrics.flatMap((_, a) =>
    metrics.slice(a + 1).map((_, next) => [a, a + 1 + next] as const),
  );
  const tests = pairs.map(([a, b]) => {
    const both = rated.filter(({ scores }) => isNumber(scores[a]) && isNumber(scores[b]));
    const of = (at: number) => Float64Array.from(both, ({ scores }) => scores[at] ?? 0);
    const human = Float64Array.from(both, (row) => row.human ?? 0);
    const [x, y, between] = [pearson(of(a), human), pearson(of(b), human), pearson(of(a), of(b))];
    return {
      a,
      b,
      n: both.length,
      difference: x - y,
      ...williamsTest({ x, y, between, n: both.length }),
    };
  });
  const defined = tests.flatMap(({ p }, at) => (Number.isNaN(p) ? [] : [at]));
  const adjusted = holm(defined.map((at) => tests[at]?.p ?? 1));
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  return tests.map(({ a, b, n, difference, t, df, p }, at) => ({
    a: metrics[a] ?? "",
    b: metrics[b] ?? "",
    n,
    difference: known(difference),
    t: known(t),
    df: Number.isNaN(t) ? null : df,
    p: known(p),
    pAdjusted: adjusted[defined.indexOf(at)] ?? null,
  }));
}

const isNumber = (value: number | null | undefined): value is number => typeof value === "number";

/** The rows that a measure is of, by their places, and their columns. */
function columnsOf(
  rated: readonly CorrelationRow[],
  at: number,
  measure: AlsoMeasure,
): { readonly rows: readonly number[]; readonly columns: AlsoColumns } {
  const isPartial = measure.startsWith("partial");
  const rows = [...rated.keys()].filter((row) => {
    const { scores, controls = [] } = rated[row] ?? { scores: [] };
    return isNumber(scores[at]) && (!isPartial || controls.every(isNumber));
  });
  const of = (value: (row: CorrelationRow | undefined) => number | null | undefined) =>
    Float64Array.from(rows, (row) => value(rated[row]) ?? 0);
  const [first] = rows;
  const controls = isPartial && first !== undefined ? (rated[first]?.controls ?? []) : [];
  return {
    rows,
    columns: {
      scores: of((row) => row?.scores[at]),
      ratings: of((row) => row?.human),
      controls: controls.map((_, control) => of((row) => row?.controls?.[control])),
    },
  };
}

const whyUndefined = (rows: number) =>
  rows < 5
    ? `only ${rows} ${rows === 1 ? "row has" : "rows have"} all that it needs`
    : "a column does not vary, or the others explain it whole";
