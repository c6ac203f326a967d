import type { CalibrationConclusion } from "../../analysis/calibration/calibration.js";
import {
  type CalibrationStatistic,
  calibrationStatistics,
} from "../../analysis/calibration/calibration-measures.js";
import type { ThresholdCertification } from "../../analysis/calibration/certified-threshold.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { noSpread } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type { Estimate } from "../../stats/estimate.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { certificateText } from "../../views/certificate-text.js";
import {
  countText,
  estimateText,
  fixedText,
  pluralText,
  spokenPercent,
  tooFewText,
} from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** Answers and their probabilities: how many are right, and whether the probabilities say so. */
export function calibrationView(found: CalibrationConclusion): ViewWithData {
  const { n, warnings, intervals, intervalsOf, weighted } = found;
  const undefinedOnes = calibrationStatistics.flatMap((name) => {
    const { value, reason } = intervalsOf[name];
    return value === null ? [`${titles[name]} is undefined: ${reason}`] : [];
  });
  return {
    verdict: verdict(found),
    findings: found.certification === undefined || n === 0 ? [] : [alone(found.certification)],
    tables: [statistics(found), reliability(found)],
    data: data(found),
    caveats: [...warnings, ...(n === 0 ? [] : undefinedOnes)],
    method: `Brackets hold intervals: ${intervals.text}. Confidence is max(p, 1 - p).${weighted === undefined ? "" : ` ${weighted}`}`,
  };
}

function verdict({ n, intervals, intervalsOf }: CalibrationConclusion): string {
  const { accuracy, ece, overconfidence } = intervalsOf;
  if (n === 0) return "Nothing can be concluded: no row has a label and a probability.";
  const { value } = overconfidence;
  const side =
    intervals.clusters < fewestToTell
      ? undefined
      : whichSide(spread(overconfidence, accuracy, intervals.clusters));
  const points = (share: number) => fixedText(Math.abs(share) * 100, 1);
  const sides =
    value !== null && side === "above"
      ? `overconfident by ${points(value)} points`
      : value !== null && side === "below"
        ? `underconfident by ${points(value)} points`
        : "neither significantly over- nor underconfident";
  const { clusters, clusteredBy } = intervals;
  const tooFew = clusters < fewestToTell ? ` (${tooFewText(clusters, clusteredBy)})` : "";
  return (
    `The answers are right in ${spokenPercent({ value: accuracy.value, low: null, high: null })} of ${pluralText(n, "row")} and ${sides}${tooFew}: ` +
    `expected calibration error ${estimateText(ece)}.`
  );
}

/**
 * Widens the interval of overconfidence by the one-sided bound of accuracy where all answers are right, or
 * all wrong: resamples then all agree on accuracy, as if it were known.
 */
function spread(overconfidence: Estimate, { value }: Estimate, n: number): Estimate {
  if (value !== 0 && value !== 1) return overconfidence;
  const { value: over, reason } = overconfidence;
  const { low, high } = reason === noSpread ? { low: over, high: over } : overconfidence;
  if (low === null || high === null) return overconfidence;
  const beyond = shareAfterNone(n);
  const oneSided = value === 1 ? { low, high: high + beyond } : { low: low - beyond, high };
  return { ...overconfidence, oneSided };
}

/** From which confidence on answers may stand. */
const alone = (certification: ThresholdCertification): string =>
  "reason" in certification
    ? `No threshold is certified: ${certification.reason}.`
    : certificateText(
        certification.certificate,
        { certification, labels: { ...certification.labels, ties: 0, reviewed: 0 } },
        certification,
      );

const titles: Readonly<Record<CalibrationStatistic, string>> = {
  accuracy: "accuracy",
  accuracyHalfCredit: "accuracy, 0.5 half right",
  f1: "F1 of label 1",
  f1Macro: "F1, mean of both labels",
  kappa: "Cohen's kappa",
  rocAuc: "area under ROC",
  averagePrecision: "average precision",
  precisionRecallArea: "area under precision-recall (trapezoids)",
  brier: "Brier score",
  nll: "negative log-likelihood",
  ece: "expected calibration error",
  mce: "maximum calibration error",
  classwiseEce: "class-wise expected error",
  classwiseMce: "class-wise maximum error",
  errorCoverageArea: "area under error-coverage",
  overconfidence: "confidence minus accuracy",
};

function statistics(found: CalibrationConclusion): ViewTable {
  const { n, unscored, intervalsOf, binning, bins } = found;
  const width = binning === "equal-mass" ? "as many rows each" : "one width";
  return {
    title: "Right and calibrated",
    columns: [
      textColumn("rows", { isGroup: true }),
      textColumn("statistic"),
      numberColumn("value"),
    ],
    rows: calibrationStatistics.map((name) => [
      `${pluralText(n, "scored row")}, ${countText(unscored)} unscored`,
      titles[name],
      intervalsOf[name],
    ]),
    note:
      `Calibration errors are of ${countText(bins.length)} bins of ${width} of top-label confidence, max(p, 1 - p); ` +
      "class-wise ones of the probability of each label, their mean and their worst. A resample's " +
      "errors are rather larger than those of the rows themselves, so their intervals lie high.",
  };
}

function reliability({ bins, binning }: CalibrationConclusion): ViewTable {
  // Edges of equal mass are confidences of the rows, with any number of decimals.
  const edge = (value: number) => (binning === "equal-mass" ? fixedText(value, 4) : String(value));
  return {
    title: "Reliability",
    columns: [
      textColumn("confidence", { isGroup: true }),
      textColumn("above, up to"),
      countColumn("n"),
      numberColumn("mean confidence", { decimals: 3 }),
      numberColumn("accuracy", { decimals: 3 }),
    ],
    rows: bins
      .filter((bin) => bin.n > 0)
      .map(({ low, high, n, confidence, accuracy }) => [
        ...["bins of confidence", `${edge(low)} to ${edge(high)}`],
        ...[n, confidence, accuracy],
      ]),
    note: "Accuracy below mean confidence: overconfident there. Empty bins are in --json.",
  };
}

/** A row for each statistic. */
const data = ({ n, unscored, intervalsOf }: CalibrationConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("statistic"),
    countColumn("n"),
    countColumn("unscored"),
    numberColumn("value", { spread: "interval", ends: ["low", "high"] }),
  ],
  rows: Object.entries(intervalsOf).map(([statistic, value]) => [statistic, n, unscored, value]),
});
