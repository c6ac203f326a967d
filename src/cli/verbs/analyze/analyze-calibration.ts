import { calibration, resampledIntervals } from "../../../analysis/calibration/calibration.js";
import { answer, optionalText, probability, text } from "../../../files/table-columns.js";
import { calibrationVerdict, readableCalibration } from "../../../report/text/calibration-text.js";
import { binnings } from "../../../stats/reliability-bins.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import { outArgument, readGivenTable, tableArguments } from "../../conclusions/table-arguments.js";
import { calibrationCsv } from "./calibration-csv.js";

export default command({
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
  arguments: {
    ...tableArguments,
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
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const { interval, resamples, seed, bins: binning, "bin-count": binCount } = given;
    const rows = await readGivenTable(given, {
      columns: { id: text, prompt: optionalText, label: answer, probability },
      unique: ["id"],
      environment,
    });
    const conclusion = calibration(rows, { binning, binCount, interval, resamples, seed });
    const verdict = calibrationVerdict(conclusion);
    const readable = readableCalibration(conclusion, verdict);
    const json = asJson({ ...conclusion, verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => calibrationCsv(conclusion),
      async figure() {
        const { calibrationFigure } = await import("../../../report/plots/calibration.js");
        return calibrationFigure(conclusion);
      },
      draw,
      title: "Calibration",
      example: "calibration.html",
    });
  },
});
