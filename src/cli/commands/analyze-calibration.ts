import { calibration } from "../../analysis/calibration.js";
import { answer, probability, text } from "../../files/table-columns.js";
import { calibrationVerdict, readableCalibration } from "../../report/calibration-text.js";
import { calibrationCsv } from "../analyze/calibration-csv.js";
import { asJson, fileWriter } from "../analyze/conclusion-file.js";
import { intervalArguments, intervalWords } from "../analyze/interval-arguments.js";
import { showConclusion } from "../analyze/show-conclusion.js";
import {
  outArgument,
  readGivenTable,
  tableArguments,
  tableWords,
} from "../analyze/table-arguments.js";
import { command } from "../command.js";
import { shellWords } from "../shell-words.js";

export default command({
  description:
    "Whether probabilities of yes-or-no answers can be believed: calibration errors, Brier score and " +
    "its parts, likelihood, accuracy, F1, kappa, areas under curves, error over coverage. Reads " +
    "JSONL, CSV or Parquet with the columns id, label (0 or 1) and probability, that of label 1; an " +
    "empty or null value is unscored. 1 is said from 0.5 on. `touchstone example calibration` prints " +
    "a sample.",
  examples: [
    "touchstone analyze calibration answers.csv",
    "touchstone analyze calibration answers.jsonl --map probability=p_yes --out calibration.html",
    "touchstone example calibration | touchstone analyze calibration - --json",
  ],
  arguments: {
    ...tableArguments,
    resamples: intervalArguments.resamples,
    seed: intervalArguments.seed,
    ...outArgument,
  },
  async run({ given, environment, output }) {
    const write = await fileWriter(given, environment);
    const { resamples, seed } = given;
    const rows = await readGivenTable(given, {
      columns: { id: text, label: answer, probability },
      unique: ["id"],
      environment,
    });
    const conclusion = calibration(rows, { resamples, seed });
    const verdict = calibrationVerdict(conclusion);
    const readable = readableCalibration(conclusion, verdict);
    const json = asJson({ ...conclusion, verdict });
    const again = shellWords([
      ...["touchstone", "analyze", "calibration", ...tableWords(given)],
      ...intervalWords({ resamples, seed }),
    ]);

    await showConclusion({
      ...{ given, write, output, json, readable, command: again },
      csv: () => calibrationCsv(conclusion),
      title: "Calibration",
      example: "calibration.html",
    });
  },
});
