import { randomFrom } from "../../core/random.js";
import { inOrderOfRows, picked, placesWith, rowsByCode } from "../../core/row-codes.js";
import { holm } from "../../stats/adjusted-p-values.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { studentTPValue } from "../../stats/incomplete-beta.js";
import { logisticFit } from "../../stats/logistic-fit.js";
import { partialCorrelation, partialSpearman, pearson } from "../../stats/pearson.js";
import { ranked } from "../../stats/ranked.js";
import { isByInfluence, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import type { Clustering } from "./correlation-intervals.js";
import { type CorrelationColumns, withNumbers } from "./correlation-row.js";
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
  rated: CorrelationColumns,
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
  rated: CorrelationColumns,
  at: number,
  also: Also,
  { average, weight, undefinedGroups, intervals: method }: GroupedMethod,
): AlsoEstimates {
  const { group } = rated;
  const codes = group?.codes ?? new Int32Array(rated.rows.length);
  const groups = inOrderOfRows({ codes, count: group?.names.length ?? 1 });
  const found = measuresOf(also).map((measure): [AlsoMeasure, Estimate] => {
    const { rows, columns } = columnsOf(rated, at, measure);
    const { start, rows: members } = rowsByCode({ ...groups, codes: picked(groups.codes, rows) });
    const counted = Array.from({ length: groups.count }, (_, one) => {
      const its = members.subarray(start[one], start[one + 1]);
      return { rows: its, columns: pickedColumns(columns, its) };
    }).flatMap(({ rows, columns }) => {
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
  rated: CorrelationColumns,
): WilliamsResult[] {
  const pairs = metrics.flatMap((_, a) =>
    metrics.slice(a + 1).map((_, next) => [a, a + 1 + next] as const),
  );
  const tests = pairs.map(([a, b]) => {
    const { human, scores, rows } = withNumbers(rated, [rated.scores[a], rated.scores[b]]);
    const of = (at: number) => scores[at] ?? new Float64Array();
    const n = rows.length;
    const [x, y, between] = [pearson(of(a), human), pearson(of(b), human), pearson(of(a), of(b))];
    return {
      a,
      b,
      n,
      difference: x - y,
      ...williamsTest({ x, y, between, n }),
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

/** The rows that a measure is of, by their places, and their columns. */
function columnsOf({ human, ...rated }: CorrelationColumns, at: number, measure: AlsoMeasure) {
  const scores = rated.scores[at] ?? new Float64Array();
  const controls = measure.startsWith("partial") ? rated.controls : [];
  const rows = placesWith(human.length, [scores, ...controls]);
  return { rows, columns: pickedColumns({ scores, ratings: human, controls }, rows) };
}

const pickedColumns = (
  { scores, ratings, controls }: AlsoColumns,
  rows: Int32Array,
): AlsoColumns => ({
  scores: picked(scores, rows),
  ratings: picked(ratings, rows),
  controls: controls.map((control) => picked(control, rows)),
});

const whyUndefined = (rows: number) =>
  rows < 5
    ? `only ${rows} ${rows === 1 ? "row has" : "rows have"} all that it needs`
    : "a column does not vary, or the others explain it whole";

/** Coefficients that papers print beside the usual ones, each where it was asked for. */
export const alsoMeasures = [
  "iccAbsolute",
  "iccConsistency",
  "plcc",
  "partialPearson",
  "partialSpearman",
] as const;
export type AlsoMeasure = (typeof alsoMeasures)[number];

/** What was asked for beside the usual coefficients. */
export interface Also {
  /** Intraclass correlations ICC(A,1) and ICC(C,1) of score and rating, which need one unit. */
  readonly icc?: boolean | undefined;
  /** Pearson's of the ratings and of a logistic function of the scores that is fitted to them. */
  readonly plcc?: boolean | undefined;
  /** Williams' test of every two metrics. */
  readonly williams?: boolean | undefined;
  /** The columns that partial correlations hold constant; their values stand in the rows' `controls`. */
  readonly partial?: readonly string[] | undefined;
}

/** The measures that are wanted, in their order. */
const measuresOf = ({ icc, plcc, partial }: Also): AlsoMeasure[] => [
  ...(icc === true ? (["iccAbsolute", "iccConsistency"] as const) : []),
  ...(plcc === true ? (["plcc"] as const) : []),
  ...(partial === undefined ? [] : (["partialPearson", "partialSpearman"] as const)),
];

/** Rows in columns: a metric's scores, people's ratings, and what is held constant. */
interface AlsoColumns {
  readonly scores: Float64Array;
  readonly ratings: Float64Array;
  readonly controls: readonly Float64Array[];
}

/**
 * Measures the same rows with any weights. The logistic function is fitted once, to the rows as they are:
 * its intervals take it for known.
 *
 * @returns a function from rows' weights to the measures in their order; NaN where one is undefined.
 */
function alsoMeasured(
  { scores, ratings, controls }: AlsoColumns,
  wanted: readonly AlsoMeasure[],
): (weights?: Float64Array) => number[] {
  const fitted = wanted.includes("plcc") ? logisticFit(scores, ratings) : undefined;
  const ranks = wanted.includes("partialSpearman")
    ? [scores, ratings, ...controls].map(ranked)
    : [];
  return (weights) => {
    const icc = intraclassCorrelation(scores, ratings, weights);
    const values: Readonly<Record<AlsoMeasure, () => number>> = {
      iccAbsolute: () => icc.absolute,
      iccConsistency: () => icc.consistency,
      plcc: () => (fitted === undefined ? Number.NaN : pearson(fitted, ratings, weights)),
      partialPearson: () => partialCorrelation([scores, ratings, ...controls], weights),
      partialSpearman: () => partialSpearman(ranks, weights),
    };
    return wanted.map((measure) => (scores.length < 2 ? Number.NaN : values[measure]()));
  };
}

/**
 * Williams' test of two correlations with the same third column: whether x or y follows z more closely,
 * where all three are of the same independent rows. Williams, "Regression Analysis" (1959), as
 * Steiger, "Tests for Comparing Elements of a Correlation Matrix" (1980), equation 7, has it:
 * t = (rx - ry) root of (n - 1)(1 + rxy) / (2 (n - 1)/(n - 3) D + m^2 (1 - rxy)^3), D the determinant of the
 * matrix of the three, m the mean of rx and ry.
 *
 * @param options.x correlation of x with z; `y` of y with z; `between` of x with y.
 * @returns t, its n - 3 degrees of freedom and the two-sided p; NaN from fewer than four rows.
 * @example williamsTest({ x: 0.5, y: 0.3, between: 0.4, n: 103 }).t // 2.096…
 */
function williamsTest({
  x,
  y,
  between,
  n,
}: {
  readonly x: number;
  readonly y: number;
  readonly between: number;
  readonly n: number;
}): { readonly t: number; readonly df: number; readonly p: number } {
  const df = n - 3;
  const determinant = 1 - square(x) - square(y) - square(between) + 2 * x * y * between;
  const apart = 1 - between;
  const below =
    2 * ((n - 1) / df) * Math.max(0, determinant) + square((x + y) / 2) * apart * square(apart);
  if (df < 1 || !(below > 0)) return { t: Number.NaN, df, p: Number.NaN };
  const t = (x - y) * Math.sqrt(((n - 1) * (1 + between)) / below);
  return { t, df, p: studentTPValue(t, df) };
}

/**
 * Intraclass correlations of two columns in one unit, ICC(A,1) and ICC(C,1): the share of a single
 * number's variance that lies between rows. `absolute` counts a constant shift between the columns as
 * error, `consistency` does not. McGraw and Wong, "Forming Inferences About Some Intraclass Correlation
 * Coefficients" (1996), table 4, two-way: with the mean squares R of rows, C of columns and E of error,
 * (R - E) / (R + E + 2 (C - E) / n) and (R - E) / (R + E).
 *
 * @param weights how often each row counts; each once by default.
 * @returns numbers up to 1; NaN from fewer than two rows, or where nothing varies.
 * @example intraclassCorrelation([1, 2, 3], [2, 3, 4]) // { absolute: 0.666…, consistency: 1 }
 */
function intraclassCorrelation(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): { readonly absolute: number; readonly consistency: number } {
  const weightOf = (row: number) => (weights === undefined ? 1 : (weights[row] ?? 0));
  let n = 0;
  let sumX = 0;
  let sumY = 0;
  for (let row = 0; row < x.length; row++) {
    n += weightOf(row);
    sumX += weightOf(row) * (x[row] ?? 0);
    sumY += weightOf(row) * (y[row] ?? 0);
  }
  const shift = (sumX - sumY) / n;
  const centre = (sumX + sumY) / (2 * n);
  let rows = 0;
  let error = 0;
  for (let row = 0; row < x.length; row++) {
    const [one, other] = [x[row] ?? 0, y[row] ?? 0];
    rows += 2 * weightOf(row) * square((one + other) / 2 - centre);
    error += (weightOf(row) * square(one - other - shift)) / 2;
  }
  const [r, c, e] = [rows / (n - 1), (n * square(shift)) / 2, error / (n - 1)];
  return {
    absolute: (r - e) / (r + e + (2 * (c - e)) / n),
    consistency: (r - e) / (r + e),
  };
}
