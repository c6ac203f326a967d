import { randomFrom } from "../../core/random.js";
import { decideRating } from "../../ensembles/fewer-calls-ratings.js";
import { expectedCalibrationError } from "../../stats/calibration-error.js";
import { log } from "../../stats/elementary/logarithm.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { claimBinner, type ReliabilityBin } from "../../stats/reliability-bins.js";
import { intervalMethod, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";

/** People's rating of an item, and the predicted probability of each rating. */
export interface RatedRow {
  /** From 1 up. */
  readonly label: number;
  /** Probabilities of the ratings from 1 up; they sum to 1. */
  readonly probabilities: ArrayLike<number>;
  /** The ratings between which the judge says people's is. */
  readonly interval: readonly [low: number, high: number];
}

export const ratingStatistics = [
  /** How often the most probable rating is people's. */
  "accuracy",
  /** How often it is no more than one away. */
  "withinOne",
  /** How far the expected rating is from people's, in the mean. */
  "meanAbsoluteError",
  /**
   * Confidence that people's rating is no further than `within` from the most probable one, against how
   * often it is; ten bins of one width.
   */
  "ece",
  "nll",
  /** The ranked probability score: the squared gap of cumulated probabilities, 0 to 1. */
  "rps",
  /** How often people's rating is in the interval. */
  "intervalCoverage",
] as const;
export type RatingStatistic = (typeof ratingStatistics)[number];

export interface RatingCalibrationConclusion {
  readonly n: number;
  /** By the confidence that `ece` is about. */
  readonly bins: readonly ReliabilityBin[];
  readonly intervalsOf: Readonly<Record<RatingStatistic, Estimate>>;
}

/** Below it a probability is taken for it. */
const least = 1e-15;

/**
 * Whether probabilities of ratings can be believed, and how near they come to people's. The ranked
 * probability score is that of Epstein, "A Scoring System for Probability Forecasts of Ranked
 * Categories" (1969), divided by the number of steps of the scale, so that of two ratings it is the
 * Brier score. Intervals are 95 % percentiles of 2,000 resamples of rows.
 *
 * @param rows on one scale, two ratings at least.
 * @param options.within how far off a rating still counts as right in `ece`; 0: only people's own.
 * @example
 * ratingCalibration([{ label: 2, probabilities: [0.25, 0.75], interval: [1, 2] }]).intervalsOf.rps.value
 *   // 0.0625
 */
export function ratingCalibration(
  rows: readonly RatedRow[],
  { seed = 0, within = 0 }: { readonly seed?: number; readonly within?: number } = {},
): RatingCalibrationConclusion {
  const n = rows.length;
  const each = rows.map((row) => measuresOf(row, within));
  const claims = {
    outcomes: Uint8Array.from(each, ({ isRight }) => (isRight ? 1 : 0)),
    confidences: Float64Array.from(each, ({ confidence }) => confidence),
  };
  const bins = claimBinner(claims, {});
  const valuesOf = (weights?: Float64Array): number[] => {
    const mean = (name: Exclude<RatingStatistic, "ece">) => {
      let sum = 0;
      let all = 0;
      each.forEach((one, row) => {
        const weight = weights?.[row] ?? 1;
        sum += weight * one[name];
        all += weight;
      });
      return sum / all;
    };
    return ratingStatistics.map((name) =>
      name === "ece" ? expectedCalibrationError(bins(weights)) : mean(name),
    );
  };
  const method = intervalMethod(
    { interval: "percentile", seed },
    { clusters: n, clusteredBy: "row" },
  );
  const values = valuesOf();
  const samples = weightedSamples(valuesOf, {
    cluster: Int32Array.from({ length: n }, (_, row) => row),
    clusters: n,
    count: values.length,
    method,
    random: randomFrom(seed, "rating bootstrap"),
  });
  const estimates = ratingStatistics.map((name, at): [RatingStatistic, Estimate] => {
    const value = values[at] ?? Number.NaN;
    if (n === 0) return [name, undefinedEstimate("no item has a rating")];
    const interval = n < 2 ? undefined : sampledInterval(value, samples, at);
    return [name, withInterval(value, interval, { whenNone: "no interval from one row" })];
  });
  // Made from the list of all of them.
  const intervalsOf = Object.fromEntries(estimates) as Record<RatingStatistic, Estimate>;
  return { n, bins: bins(), intervalsOf };
}

function measuresOf({ label, probabilities, interval: [low, high] }: RatedRow, within: number) {
  const shares = Array.from(probabilities);
  const { rating: said, confidence } = decideRating(shares, { ratings: shares.length, within });
  const expected = shares.reduce((sum, share, at) => sum + share * (at + 1), 0);
  let below = 0;
  let gaps = 0;
  for (const [at, share] of shares.slice(0, -1).entries()) {
    below += share;
    gaps += square(below - (label <= at + 1 ? 1 : 0));
  }
  return {
    confidence,
    isRight: Math.abs(said - label) <= within,
    accuracy: said === label ? 1 : 0,
    withinOne: Math.abs(said - label) <= 1 ? 1 : 0,
    meanAbsoluteError: Math.abs(expected - label),
    nll: -log(Math.max(shares[label - 1] ?? 0, least)),
    rps: gaps / (shares.length - 1),
    intervalCoverage: label >= low && label <= high ? 1 : 0,
  };
}
