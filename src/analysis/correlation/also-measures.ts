import { intraclassCorrelation } from "../../stats/intraclass-correlation.js";
import { logisticFit } from "../../stats/logistic-fit.js";
import { partialCorrelation, partialSpearman } from "../../stats/partial-correlation.js";
import { pearson } from "../../stats/pearson.js";
import { ranked } from "../../stats/ranked.js";

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
export const measuresOf = ({ icc, plcc, partial }: Also): AlsoMeasure[] => [
  ...(icc === true ? (["iccAbsolute", "iccConsistency"] as const) : []),
  ...(plcc === true ? (["plcc"] as const) : []),
  ...(partial === undefined ? [] : (["partialPearson", "partialSpearman"] as const)),
];

/** Rows in columns: a metric's scores, people's ratings, and what is held constant. */
export interface AlsoColumns {
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
export function alsoMeasured(
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
