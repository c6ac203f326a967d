import { randomFrom } from "../core/random.js";
import { bootstrapInterval } from "../stats/bootstrap-interval.js";
import { type BrierDecomposition, brierDecomposition } from "../stats/brier-decomposition.js";
import { brierScore } from "../stats/brier-score.js";
import { cohenKappa } from "../stats/cohen-kappa.js";
import { type CoveragePoint, errorCoverage, errorCoverageArea } from "../stats/error-coverage.js";
import type { Estimate } from "../stats/estimate.js";
import { expectedCalibrationError } from "../stats/expected-calibration-error.js";
import { f1Score } from "../stats/f1-score.js";
import { maximumCalibrationError } from "../stats/maximum-calibration-error.js";
import { negativeLogLikelihood } from "../stats/negative-log-likelihood.js";
import { averagePrecision, precisionRecallArea } from "../stats/precision-recall.js";
import { type ReliabilityBin, reliabilityBins } from "../stats/reliability-bins.js";
import { rocAuc } from "../stats/roc-auc.js";
import { type IntervalMethod, intervalMethod, undefinedEstimate } from "./intervals.js";

/** What is right of one item and how likely 1 was said to be; null where there is no answer. */
export interface CalibrationRow {
  readonly id: string;
  readonly label: number | null;
  /** P(label is 1), in [0, 1]. */
  readonly probability: number | null;
}

type Statistic = (labels: readonly number[], probabilities: readonly number[]) => number;

const predictions = (probabilities: readonly number[]) =>
  probabilities.map((probability) => (probability >= 0.5 ? 1 : 0));

const statistics = {
  accuracy: (labels, probabilities) => hits(labels, probabilities, 1),
  accuracyHalfCredit: (labels, probabilities) => hits(labels, probabilities, 0.5),
  f1: (labels, probabilities) => f1Score(labels, predictions(probabilities)),
  kappa: (labels, probabilities) => cohenKappa(labels, predictions(probabilities)),
  rocAuc,
  averagePrecision,
  precisionRecallArea,
  brier: brierScore,
  nll: negativeLogLikelihood,
  ece: (labels, probabilities) => expectedCalibrationError(reliabilityBins(labels, probabilities)),
  mce: (labels, probabilities) => maximumCalibrationError(reliabilityBins(labels, probabilities)),
  errorCoverageArea: (labels, probabilities) =>
    errorCoverageArea(errorCoverage(labels, probabilities)),
  /** Mean confidence minus accuracy. */
  overconfidence: (labels, probabilities) =>
    probabilities.reduce((sum, p) => sum + Math.max(p, 1 - p), 0) / labels.length -
    hits(labels, probabilities, 1),
} as const satisfies Record<string, Statistic>;

export type CalibrationStatistic = keyof typeof statistics;
// An object of this module's own: it has these keys and no other.
export const calibrationStatistics = Object.keys(statistics) as CalibrationStatistic[];

/** Each statistic as a number, null where undefined; `intervalsOf` holds intervals and reasons. */
export interface CalibrationConclusion
  extends Readonly<Record<CalibrationStatistic, number | null>> {
  /** Rows with a label and a probability. */
  readonly n: number;
  readonly unscored: number;
  /** Rows with a probability of 0.5: 1 is said of them, without a reason to. */
  readonly ties: number;
  readonly brierParts: BrierDecomposition | null;
  readonly bins: readonly ReliabilityBin[];
  readonly coverage: readonly CoveragePoint[];
  readonly intervalsOf: Readonly<Record<CalibrationStatistic, Estimate>>;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * Whether probabilities of a yes-or-no answer can be believed (calibration: ECE and MCE of ten bins
 * of top-label confidence, Brier score and its parts, negative log-likelihood) and whether they tell
 * right from wrong (accuracy, F1, kappa, areas, error over coverage). 1 is said where the
 * probability is at least 0.5. Rows without a label or a probability are counted as unscored and are
 * in nothing else. Intervals draw rows; the order of the rows changes nothing.
 *
 * @example
 * calibration([
 *   { id: "1", label: 1, probability: 0.9 },
 *   { id: "2", label: 0, probability: 0.6 },
 * ]).accuracy // 0.5
 */
export function calibration(
  rows: readonly CalibrationRow[],
  { resamples, seed = 0 }: { resamples?: number | undefined; seed?: number | undefined } = {},
): CalibrationConclusion {
  const answered = rows
    .flatMap(({ label, probability }) =>
      label === null || probability === null ? [] : [{ label, probability }],
    )
    .sort((a, b) => a.probability - b.probability || a.label - b.label);
  const labels = answered.map(({ label }) => label);
  const probabilities = answered.map(({ probability }) => probability);
  const n = answered.length;
  const intervals = intervalMethod(
    { interval: "percentile", resamples, seed },
    { clusters: n, clusteredBy: "row" },
  );
  const intervalsOf = forEach((name) => estimated(name, { labels, probabilities, intervals }));
  const ties = probabilities.filter((probability) => probability === 0.5).length;
  return {
    n,
    unscored: rows.length - n,
    ties,
    ...forEach((name) => intervalsOf[name].value),
    brierParts: n === 0 ? null : brierDecomposition(labels, probabilities),
    bins: reliabilityBins(labels, probabilities),
    coverage: errorCoverage(labels, probabilities),
    intervalsOf,
    warnings:
      ties === 0
        ? []
        : [
            `${ties} of ${n} rows have a probability of 0.5 and count as a 1 said; ` +
              "accuracyHalfCredit counts each as half right",
          ],
    intervals,
  };
}

/** A record with one member for each statistic. */
function forEach<Value>(
  member: (name: CalibrationStatistic) => Value,
): Record<CalibrationStatistic, Value> {
  const members = calibrationStatistics.map((name) => [name, member(name)] as const);
  // Made from the list of all of them.
  return Object.fromEntries(members) as Record<CalibrationStatistic, Value>;
}

function estimated(
  name: CalibrationStatistic,
  {
    labels,
    probabilities,
    intervals: { resamples = 0, seed = 0 },
  }: {
    labels: readonly number[];
    probabilities: readonly number[];
    intervals: IntervalMethod;
  },
): Estimate {
  if (labels.length === 0) return undefinedEstimate("no row has a label and a probability");
  const statistic: Statistic = statistics[name];
  const value = statistic(labels, probabilities);
  if (Number.isNaN(value)) return undefinedEstimate(whyUndefined[name] ?? "it is 0 / 0");
  const interval = bootstrapInterval({
    units: labels.length,
    statistic(drawn) {
      // In order: nothing is sorted anew in each draw, which is most of the work.
      const inOrder = Array.from(drawn.slice().sort());
      return statistic(
        inOrder.map((row) => labels[row] ?? 0),
        inOrder.map((row) => probabilities[row] ?? 0),
      );
    },
    resamples,
    random: randomFrom(seed, "calibration bootstrap"),
  });
  if (interval === undefined) {
    return { value, low: null, high: null, reason: "no interval from one row" };
  }
  return { value, low: interval[0], high: interval[1] };
}

const whyUndefined: { readonly [Name in CalibrationStatistic]?: string } = {
  f1: "no label is 1 and none was said to be",
  kappa: "all labels and all answers are the same",
  rocAuc: "all labels are the same",
  averagePrecision: "no label is 1",
  precisionRecallArea: "no label is 1",
};

/** The share of right answers; with half credit, a probability of 0.5 is half right of any label. */
function hits(labels: readonly number[], probabilities: readonly number[], tie: 1 | 0.5): number {
  let sum = 0;
  probabilities.forEach((probability, index) => {
    if (probability === 0.5 && tie === 0.5) sum += tie;
    else if ((probability >= 0.5 ? 1 : 0) === labels[index]) sum += 1;
  });
  return sum / labels.length;
}
