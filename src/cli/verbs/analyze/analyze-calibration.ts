import { calibration, resampledIntervals } from "../../../analysis/calibration/calibration.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { readableCalibration } from "../../../report/text/calibration-text.js";
import { binnings } from "../../../stats/reliability-bins.js";
import { answer, optionalText, probability, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";

const read = tableReader({
  columns: { id: text, prompt: optionalText, label: answer, probability },
  unique: ["id"],
});

export default conclusion({
  description:
    "Measures the calibration of yes-or-no answers: calibration errors, Brier score and its " +
    "parts, likelihood, accuracy, F1, kappa, areas under curves, and error over coverage. " +
    "Reads JSONL, JSON, CSV or Parquet with the columns id, label (0 or 1) and probability " +
    "(of label 1); an empty or null value is unscored. A probability of 0.5 or more predicts " +
    "1. Intervals resample prompts if there is a column prompt, else rows; calibration " +
    "errors have no delta method. `touchstone example calibration` prints a sample.",
  examples: [
    "touchstone analyze calibration answers.csv",
    "touchstone analyze calibration answers.jsonl --map probability=p_yes --out calibration.html",
    "touchstone example calibration | touchstone analyze calibration - --json",
  ],
  title: "Calibration",
  example: "calibration.html",
  arguments: {
    bins: {
      kind: "choice",
      choices: binnings,
      default: "equal-width",
      description: "bins of equal width, or with equally many rows",
    },
    "bin-count": {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: "how many bins",
    },
    interval: {
      kind: "choice",
      choices: resampledIntervals,
      default: "percentile",
      description: "bca corrects bias and skew",
    },
    resamples: intervalArguments.resamples,
    seed: intervalArguments.seed,
  },
  read,
  conclude: (rows, { bins, "bin-count": binCount, ...given }) =>
    calibration(rows, { ...given, binning: bins, binCount }),
  readable: (conclusion) => readableCalibration(conclusion),
  csv: ({ n, unscored, intervalsOf }) =>
    Object.entries(intervalsOf).map(([statistic, { value, low, high }]) => ({
      statistic,
      n,
      unscored,
      value,
      low,
      high,
    })),
  async figure(conclusion) {
    const { calibrationFigure } = await import("../../../report/plots/calibration-plot.js");
    return calibrationFigure(conclusion);
  },
});
