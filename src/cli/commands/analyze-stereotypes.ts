import { stereotypes } from "../../analysis/stereotypes.js";
import { answer, oneOf, optionalAnswer, text } from "../../files/table-columns.js";
import { readableStereotypes } from "../../report/stereotypes-text.js";
import { asJson, fileWriter } from "../analyze/conclusion-file.js";
import { intervalArguments, intervalWords } from "../analyze/interval-arguments.js";
import { plotArgument, plotWriter } from "../analyze/plot-file.js";
import { showConclusion } from "../analyze/show-conclusion.js";
import { stereotypesCsv } from "../analyze/stereotypes-csv.js";
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
    "By how much refined prompts lower the Social Stereotype Index of images, by category and model, " +
    "with a paired t-test beside an interval that draws whole queries. Reads JSONL, JSON, CSV or Parquet " +
    "with the columns query, category, model, phase (initial or refined), imageSet, item, present " +
    "(1: a negative stereotype is there; 0; empty: no answer) and, if there is one, expert.",
  examples: [
    "touchstone analyze stereotypes audit.csv",
    "touchstone analyze stereotypes audit.jsonl --map present=judge --out stereotypes.html",
    "touchstone example stereotypes | touchstone analyze stereotypes - --json",
  ],
  arguments: { ...tableArguments, ...intervalArguments, ...outArgument, ...plotArgument },
  async run({ given, environment, output }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const rows = await readGivenTable(given, { columns, unique, environment });
    const conclusion = stereotypes(rows, given);
    const readable = readableStereotypes(conclusion);
    const json = asJson({ ...conclusion, verdict: readable.verdict });
    const again = shellWords([
      ...["touchstone", "analyze", "stereotypes", ...tableWords(given)],
      ...intervalWords(given),
    ]);

    await showConclusion({
      ...{ given, write, output, json, readable, command: again },
      csv: () => stereotypesCsv(conclusion),
      async figure() {
        const { stereotypesFigure } = await import("../../report/plots/stereotypes.js");
        return stereotypesFigure(conclusion);
      },
      draw,
      title: "Stereotypes before and after",
      example: "stereotypes.html",
    });
  },
});

const unique = ["query", "category", "model", "phase", "imageSet", "item"] as const;
const columns = {
  query: text,
  category: text,
  model: text,
  phase: oneOf(["initial", "refined"]),
  imageSet: text,
  item: text,
  present: answer,
  expert: optionalAnswer,
};
