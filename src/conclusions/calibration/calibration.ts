import { calibrationOf } from "../../analysis/calibration/calibration.js";
import { RowNames } from "../../analysis/inference/prompt-clusters.js";
import type { Arguments } from "../../core/options.js";
import { binnings } from "../../stats/reliability-bins.js";
import { answer, optionalText, probability, text } from "../../tables/columns.js";
import { parseMap } from "../../tables/map.js";
import { answeredArgument, withAnswered } from "../answered.js";
import { conclusion, inColumns } from "../conclusion.js";
import { drawKinds, drawsOfRows } from "../draw-columns.js";
import { judgeIntervalArguments, targetErrorArgument } from "../shared-options.js";
import type { GivenTable, Inputs } from "../table-options.js";
import { calibrationView } from "./view.js";

/** A row for each answer. */
const kinds = { id: text, prompt: optionalText, label: answer, probability, ...drawKinds };

const read = inColumns(() => ({ kinds, unique: ["id"] }));

/** Reads answers, with labels of --answered put into the rows that they are of. */
const readAnswers = (
  asked: GivenTable & { readonly answered?: readonly string[] },
  files: Inputs,
) => {
  const { given, inputs } = withAnswered(asked, files, [parseMap(asked.map).label ?? "label"]);
  return read(given, inputs);
};

const options = {
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
  "target-error": { ...targetErrorArgument, minimum: 0.001, maximum: 0.999 },
  ...answeredArgument,
  ...judgeIntervalArguments,
} as const satisfies Arguments;

export default conclusion({
  title: "Calibration",
  description:
    "Measures the calibration of yes-or-no answers: calibration errors, Brier score and its " +
    "parts, likelihood, accuracy, F1, kappa, areas under curves, and error over coverage. " +
    "Reads JSONL, JSON, CSV or Parquet with the columns id, label (0 or 1) and probability " +
    "(of label 1) and, optionally, weight (1 / probability of the row's draw), stratum and round; an empty or null " +
    "value is unscored. A probability of 0.5 or more predicts " +
    "1. Intervals resample prompts if there is a column prompt, else rows; calibration " +
    "errors have no delta method. `touchstone example calibration` prints a sample.",
  examples: [
    "touchstone analyze calibration answers.csv",
    "touchstone analyze calibration answers.jsonl --map probability=p_yes --out calibration.html",
    "touchstone example calibration | touchstone analyze calibration - --json",
  ],
  example: { shows: "a judge's probabilities on forty pairs, with a tie and one unscored" },
  page: "calibration.html",
  options,
  sums: () => import("./sums.js"),
  async read(given, inputs): Promise<Parameters<typeof calibrationOf>[0]> {
    const { columns, has } = await readAnswers(given, inputs);
    return { ...columns, names: new RowNames(columns), draws: drawsOfRows({ columns, has }) };
  },
  alsoReads: ({ answered }) => answered,
  conclude: (answers, { bins, "bin-count": binCount, "target-error": target, ...given }) =>
    calibrationOf(answers, { ...given, binning: bins, binCount, target }),
  view: calibrationView,
  async figure(found) {
    const { calibrationFigure } = await import("./figure.js");
    return calibrationFigure(found);
  },
});
