import { auditCorrection } from "../../../analysis/stereotypes/audit-correction.js";
import { auditExperts } from "../../../analysis/stereotypes/audit-experts.js";
import { stereotypes } from "../../../analysis/stereotypes/stereotypes.js";
import { answer, oneOf, optionalAnswer, text } from "../../../files/table-columns.js";
import { readableStereotypes } from "../../../report/text/stereotypes-text.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import { outArgument, readGivenTable, tableArguments } from "../../conclusions/table-arguments.js";
import { answersOf, expertColumns, parseExperts } from "./expert-columns.js";
import { stereotypesCsv } from "./stereotypes-csv.js";

export default command({
  description:
    "Measures how much refined prompts lower the Social Stereotype Index of images, by " +
    "category and model: a paired t-test, and an interval that resamples whole queries. " +
    "Reads JSONL, JSON, CSV or Parquet with the columns query, category, model, phase " +
    "(initial or refined), imageSet, item, present (1: a negative stereotype is there; 0: " +
    "not; empty: no answer) and, optionally, expert. With expert it also gives the judge's " +
    "accuracy and kappa, and corrects the index by the judge's errors (Rogan and Gladen).",
  examples: [
    "touchstone analyze stereotypes audit.csv",
    "touchstone analyze stereotypes audit.jsonl --map present=judge --out stereotypes.html",
    "touchstone analyze stereotypes labelled.csv --experts anna,ben",
    "touchstone example stereotypes | touchstone analyze stereotypes - --json",
  ],
  arguments: {
    ...tableArguments,
    experts: {
      kind: "text",
      value: "A,B",
      description:
        "one column for each expert, instead of the column expert; the majority is the reference",
    },
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const names = parseExperts(given.experts, Object.keys(columns));
    const read = await readGivenTable(given, {
      columns: { ...columns, ...expertColumns(names) },
      unique,
      environment,
    });
    const { rows, experts } =
      names.length === 0
        ? { rows: read, experts: undefined }
        : auditExperts(
            read.map((row) => ({ ...row, experts: answersOf(row, names) })),
            names,
            given,
          );
    const conclusion = stereotypes(rows, given);
    const corrected = conclusion.judge.length === 0 ? undefined : auditCorrection(rows, given);
    const readable = readableStereotypes(conclusion, { experts, corrected });
    const json = asJson({ ...conclusion, experts, corrected, verdict: readable.verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => stereotypesCsv(conclusion),
      async figure() {
        const { stereotypesFigure } = await import("../../../report/plots/stereotypes.js");
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
