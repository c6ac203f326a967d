import { randomFrom } from "../../core/random.js";
import { picked, placesWith, rowsByCode } from "../../core/row-codes.js";
import { type CoveragePoint, errorCoverage } from "../../stats/calibration-error.js";
import type { Estimate } from "../../stats/estimate.js";
import { type BrierDecomposition, brierDecomposition } from "../../stats/losses.js";
import { ranked } from "../../stats/ranked.js";
import {
  type Binning,
  claimBinner,
  type ReliabilityBin,
  topLabel,
} from "../../stats/reliability-bins.js";
import { fewClusters } from "../inference/few-clusters.js";
import {
  type IntervalMethod,
  intervalMethod,
  type resampledIntervals,
  undefinedEstimate,
  unitsText,
  withInterval,
} from "../inference/intervals.js";
import { withBoundAfter } from "../inference/one-sided-bound.js";
import { type PromptClusters, RowNames } from "../inference/prompt-clusters.js";
import { drawWeights, type RowDraws, weightedText } from "../inference/row-draws.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";
import {
  type CalibrationStatistic,
  calibrationMeasured,
  calibrationStatistics,
} from "./calibration-measures.js";
import { certifiedThreshold, type ThresholdCertification } from "./certified-threshold.js";

/** Label of one item and its predicted probability of 1; null where there is no answer. */
export interface CalibrationRow {
  readonly id: string;
  /** Rows of one prompt are drawn together. */
  readonly prompt?: string | undefined;
  readonly label: number | null;
  /** P(label is 1), in [0, 1]. */
  readonly probability: number | null;
}

/** Each statistic as a number, null where undefined; `intervalsOf` holds intervals and reasons. */
export interface CalibrationConclusion
  extends Readonly<Record<CalibrationStatistic, number | null>> {
  /** Rows with a label and a probability. */
  readonly n: number;
  readonly unscored: number;
  /** Rows with a probability of 0.5: 1 is said of them, without a reason to. */
  readonly ties: number;
  readonly brierParts: BrierDecomposition | null;
  readonly binning: Binning;
  readonly bins: readonly ReliabilityBin[];
  readonly coverage: readonly CoveragePoint[];
  readonly intervalsOf: Readonly<Record<CalibrationStatistic, Estimate>>;
  /** How rows were weighted, where `label plan` drew them. */
  readonly weighted?: string;
  /** From which confidence on answers may stand, where a target was given. */
  readonly certification?: ThresholdCertification;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

export interface CalibrationOptions {
  /** How confidence is sorted into bins; default: of one width. */
  readonly binning?: Binning | undefined;
  /** Default 10. */
  readonly binCount?: number | undefined;
  /** At most this share of the answers above a certified threshold may be wrong; default: none is sought. */
  readonly target?: number | undefined;
  /** Default: percentiles of the resamples. */
  readonly interval?: (typeof resampledIntervals)[number] | undefined;
  /** Default 2,000. */
  readonly resamples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/**
 * Whether probabilities of a yes-or-no answer can be believed (calibration: ECE and MCE of bins of
 * top-label confidence and, named apart, class-wise; Brier score and its parts over ten bins of one
 * width; negative log-likelihood) and whether they tell right from wrong (accuracy, F1 of label 1 and
 * the mean of both labels' F1, kappa, areas, error over coverage). 1 is said where the probability is
 * at least 0.5. Rows without a label or a probability are counted as unscored and are in nothing
 * else. Intervals draw rows, or whole prompts where rows name theirs (a row without one stands for
 * itself); the order of the rows changes nothing.
 *
 * @example
 * calibration([
 *   { id: "1", label: 1, probability: 0.9 },
 *   { id: "2", label: 0, probability: 0.6 },
 * ]).accuracy // 0.5
 */
export const calibration = (
  rows: readonly CalibrationRow[],
  options: CalibrationOptions = {},
): CalibrationConclusion =>
  calibrationOf(
    {
      names: RowNames.of(rows),
      label: Float64Array.from(rows, ({ label }) => label ?? Number.NaN),
      probability: Float64Array.from(rows, ({ probability }) => probability ?? Number.NaN),
    },
    options,
  );

/** The same of rows by column; NaN where there is no answer. */
export function calibrationOf(
  {
    names,
    label,
    probability,
    draws,
  }: {
    readonly names: RowNames;
    readonly label: Float64Array;
    readonly probability: Float64Array;
    readonly draws?: RowDraws | undefined;
  },
  {
    binning = "equal-width",
    binCount = 10,
    target,
    interval = "percentile",
    resamples,
    seed = 0,
  }: CalibrationOptions = {},
): CalibrationConclusion {
  const whole = placesWith(label.length, [label, probability]);
  const hasPrompts = names.prompted(whole) > 0;
  const ofRows = drawWeights(draws, whole);
  // Rows of one answer are told apart by name only where they count differently.
  const drawn =
    hasPrompts || ofRows
      ? names.clusters(whole)
      : { cluster: new Int32Array(whole.length), count: 1 };
  const order = inOrder(picked(label, whole), picked(probability, whole), drawn);
  const labels = picked(label, picked(whole, order));
  const probabilities = picked(probability, picked(whole, order));
  const n = order.length;
  const weights = ofRows && picked(ofRows, order);
  const intervals = intervalMethod(
    { interval, resamples, seed },
    hasPrompts
      ? { clusters: drawn.count, clusteredBy: "prompt" }
      : { clusters: n, clusteredBy: "row" },
  );
  // Only the place of rows that stand for themselves counts: what they are called changes no draw.
  const cluster = hasPrompts ? picked(drawn.cluster, order) : order.map((_, at) => at);
  const certification = target !== undefined && {
    certification: certifiedThreshold({ labels, probabilities, cluster, weights }, target, seed),
  };
  const bins = { binning, count: binCount };
  const found = estimates(weightedBy(weights, calibrationMeasured(labels, probabilities, bins)), {
    cluster,
    intervals,
  });
  const intervalsOf = forEach((_, at) => found[at] ?? undefinedEstimate("it is 0 / 0"));
  const ties = probabilities.filter((probability) => probability === 0.5).length;
  let coverage: readonly CoveragePoint[] | undefined;
  return {
    n,
    unscored: label.length - n,
    ties,
    ...forEach((name) => intervalsOf[name].value),
    brierParts: n === 0 ? null : brierDecomposition(labels, probabilities, { weights }),
    binning,
    bins: claimBinner(topLabel(labels, probabilities), bins)(weights),
    /** As long as the table; who prints a few lines doesn't ask for it. */
    get coverage() {
      coverage ??= errorCoverage(labels, probabilities, weights);
      return coverage;
    },
    intervalsOf,
    ...(weights && { weighted: weightedText }),
    ...certification,
    warnings: [
      ...(ties === 0
        ? []
        : [
            `${ties} of ${n} rows ${ties === 1 ? "has" : "have"} a probability of 0.5, which counts as predicting a 1; ` +
              "accuracy, 0.5 half right, counts each as half right",
          ]),
      ...fewClusters(intervals),
      ...tooFewForErrors(intervals),
    ],
    intervals,
  };
}

/** The same statistics with weights of rows beside those of each resample. */
function weightedBy(
  own: Float64Array | undefined,
  valuesOf: (weights?: Float64Array) => number[],
): (weights?: Float64Array) => number[] {
  if (own === undefined) return valuesOf;
  return (weights) => valuesOf(weights?.map((weight, at) => weight * (own[at] ?? 0)) ?? own);
}

/** Places by probability, those alike in it by label and then by cluster. */
function inOrder(
  labels: Float64Array,
  probabilities: Float64Array,
  { cluster, count }: PromptClusters,
): Int32Array {
  const codes = cluster.map((its, place) => its + (labels[place] ?? 0) * count);
  const { rows } = rowsByCode({ codes, count: 2 * count });
  return picked(rows, new Int32Array(ranked(picked(probabilities, rows)).order));
}

/** The fewest rows for intervals of calibration errors with nominal coverage: docs/research/intervals.md. */
const enoughForErrors = 1000;
/** The most rows for which BCa intervals of calibration errors beat percentiles. */
const mostForBca = 100;

/** Chance adds to every gap between confidence and accuracy, and a resample adds it again. */
function tooFewForErrors({ clusters: n, clusteredBy, method }: IntervalMethod): string[] {
  return n === 0 || n >= enoughForErrors
    ? []
    : [
        `expected and maximum calibration error of ${unitsText(n, clusteredBy)} and their intervals are ` +
          "biased upwards by chance" +
          (method === "bca" || n > mostForBca ? "" : ", BCa intervals less so"),
      ];
}

/** A record with one member for each statistic. */
function forEach<Value>(
  member: (name: CalibrationStatistic, at: number) => Value,
): Record<CalibrationStatistic, Value> {
  const members = calibrationStatistics.map((name, at) => [name, member(name, at)] as const);
  // Made from the list of all of them.
  return Object.fromEntries(members) as Record<CalibrationStatistic, Value>;
}

function estimates(
  valuesOf: (weights?: Float64Array) => number[],
  {
    cluster,
    intervals: method,
  }: { readonly cluster: Int32Array; readonly intervals: IntervalMethod },
): Estimate[] {
  const { clusters, clusteredBy } = method;
  if (clusters === 0) {
    return calibrationStatistics.map(() =>
      undefinedEstimate("no row has a label and a probability"),
    );
  }
  const values = valuesOf();
  const samples = weightedSamples(valuesOf, {
    cluster,
    clusters,
    method,
    count: values.length,
    random: randomFrom(method.seed ?? 0, "calibration bootstrap"),
  });
  return values.map((value, at) => {
    const name = calibrationStatistics[at];
    if (Number.isNaN(value)) {
      return undefinedEstimate((name && whyUndefined[name]) ?? "it is 0 / 0");
    }
    const interval = clusters < 2 ? undefined : sampledInterval(value, samples, at);
    const whenNone = `no interval from one ${clusteredBy}`;
    const estimate = withInterval(value, interval, { whenNone });
    return name === "accuracy" ? withBoundAfter(estimate, () => clusters) : estimate;
  });
}

const whyUndefined: { readonly [Name in CalibrationStatistic]?: string } = {
  f1: "no label is 1 and none was said to be",
  f1Macro: "one of the labels is nowhere, neither right nor said",
  kappa: "all labels and all answers are the same",
  rocAuc: "all labels are the same",
  averagePrecision: "no label is 1",
  precisionRecallArea: "no label is 1",
};
