import { largestOf } from "../../core/arrays.js";
import {
  errorCoverageArea,
  expectedCalibrationError,
  maximumCalibrationError,
} from "../../stats/calibration-error.js";
import { cohenKappa } from "../../stats/cohen-kappa.js";
import { square } from "../../stats/elementary/powers.js";
import { logLosses } from "../../stats/losses.js";
import { ranked } from "../../stats/ranked.js";
import { type Binning, claimBinner, classWise, topLabel } from "../../stats/reliability-bins.js";
import {
  f1Score,
  precisionOverRecall,
  rocAuc,
  thresholdCounter,
} from "../../stats/threshold-measures.js";

/** Measures of probabilities of yes-or-no answers, in the order of every list of values here. */
export const calibrationStatistics = [
  "accuracy",
  "accuracyHalfCredit",
  "f1",
  "f1Macro",
  "kappa",
  "rocAuc",
  "averagePrecision",
  "precisionRecallArea",
  "brier",
  "nll",
  "ece",
  "mce",
  "classwiseEce",
  "classwiseMce",
  "errorCoverageArea",
  /** Mean confidence minus accuracy. */
  "overconfidence",
] as const;
export type CalibrationStatistic = (typeof calibrationStatistics)[number];

/** How confidence is sorted into bins. */
export interface BinOptions {
  readonly binning: Binning;
  readonly count: number;
}

/**
 * All statistics of the same rows, whatever their weights: what has to be sorted is sorted once.
 *
 * @param labels 0 or 1 each.
 * @param probabilities P(label is 1) for each.
 * @returns what computes all of them when each row counts as often as its weight says (once by
 *   default); NaN where undefined.
 */
export function calibrationMeasured(
  labels: Float64Array,
  probabilities: Float64Array,
  bins: BinOptions,
): (weights?: Float64Array) => number[] {
  const claims = topLabel(labels, probabilities);
  const [zero, one] = classWise(labels, probabilities);
  const binTop = claimBinner(claims, bins);
  const binClasses = [claimBinner(zero, bins), claimBinner(one, bins)];
  const [byProbability, byConfidence] = [ranked(probabilities), ranked(claims.confidences)];
  const most = Math.max(byProbability.levels, byConfidence.levels);
  const room = { positives: new Float64Array(most), negatives: new Float64Array(most) };
  const countByProbability = thresholdCounter(labels, byProbability, room);
  const countByConfidence = thresholdCounter(claims.outcomes, byConfidence, room);
  const tally = tallier(labels, probabilities, claims.confidences);

  return (weights) => {
    const { rows, confidence, ties, rightTies, answers, squared, logs } = tally(weights);
    const [saidZero = 0, , , saidOne = 0] = answers;
    const accuracy = (saidZero + saidOne) / rows;
    const inverted = (values: readonly number[]) => values.map((value) => 1 - value);
    const f1 = f1Score(pairs.labels, pairs.said, answers);
    const other = f1Score(inverted(pairs.labels), inverted(pairs.said), answers);
    const counts = countByProbability(weights);
    const precision = precisionOverRecall(counts);
    const top = binTop(weights);
    const classes = binClasses.map((bin) => bin(weights));
    const values: Record<CalibrationStatistic, number> = {
      accuracy,
      accuracyHalfCredit: (saidZero + saidOne - rightTies + ties / 2) / rows,
      f1,
      f1Macro: (f1 + other) / 2,
      kappa: cohenKappa(pairs.labels, pairs.said, "none", answers),
      rocAuc: rocAuc(counts),
      averagePrecision: precision.average,
      precisionRecallArea: precision.trapezoids,
      brier: squared / rows,
      nll: logs / rows,
      ece: expectedCalibrationError(top),
      mce: maximumCalibrationError(top),
      classwiseEce: classes.reduce((sum, each) => sum + expectedCalibrationError(each) / 2, 0),
      classwiseMce: largestOf(classes.map(maximumCalibrationError)),
      errorCoverageArea: errorCoverageArea(countByConfidence(weights)),
      overconfidence: confidence / rows - accuracy,
    };
    return calibrationStatistics.map((name) => values[name]);
  };
}

/** Combinations of a label and an answer; they are counted in this order. */
const pairs = { labels: [0, 0, 1, 1], said: [0, 1, 0, 1] } as const;

function tallier(labels: Float64Array, probabilities: Float64Array, confidences: Float64Array) {
  const losses = logLosses(labels, probabilities);
  const codes = new Uint8Array(labels.length);
  const tied: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    const probability = probabilities[row] ?? 0;
    codes[row] = 2 * (labels[row] ?? 0) + (probability >= 0.5 ? 1 : 0);
    if (probability === 0.5) tied.push(row);
  }
  const rightTied = tied.filter((row) => labels[row] === 1);
  return (weights?: Float64Array) => {
    let rows = 0;
    let confidence = 0;
    let squared = 0;
    let logs = 0;
    for (let row = 0; row < losses.length; row++) {
      const weight = weights === undefined ? 1 : (weights[row] ?? 0);
      rows += weight;
      confidence += weight * (confidences[row] ?? 0);
      squared += weight * square((probabilities[row] ?? 0) - (labels[row] ?? 0));
      logs += weight * (losses[row] ?? 0);
    }
    const answers = new Float64Array(4);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] ?? 0;
      answers[code] = (answers[code] ?? 0) + (weights === undefined ? 1 : (weights[row] ?? 0));
    }
    const [ties, rightTies] = [total(tied, weights), total(rightTied, weights)];
    return { answers, rows, confidence, ties, rightTies, squared, logs };
  };
}

function total(rows: readonly number[], weights?: Float64Array): number {
  if (weights === undefined) return rows.length;
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += weights[rows[at] ?? 0] ?? 0;
  return sum;
}
