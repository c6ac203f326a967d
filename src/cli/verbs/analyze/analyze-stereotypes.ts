import { auditCorrection } from "../../../analysis/stereotypes/audit-correction.js";
import { auditExperts } from "../../../analysis/stereotypes/audit-experts.js";
import { stereotypes } from "../../../analysis/stereotypes/stereotypes.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { readableStereotypes } from "../../../report/text/stereotypes-text.js";
import { answer, oneOf, optionalAnswer, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { answersOf, expertColumns, parseExperts } from "./expert-columns.js";
import { stereotypeRows } from "./stereotype-rows.js";

export default conclusion({
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
  title: "Stereotypes before and after",
  example: "stereotypes.html",
  arguments: {
    experts: {
      kind: "text",
      value: "A,B",
      description:
        "one column for each expert, instead of the column expert; the majority is the reference",
    },
    ...intervalArguments,
  },
  async read(given, inputs) {
    const names = parseExperts(given.experts, Object.keys(columns));
    const read = tableReader({
      columns: { ...columns, ...expertColumns(names) },
      unique: ["query", "category", "model", "phase", "imageSet", "item"],
    });
    const rows = await read(given, inputs);
    if (names.length === 0) return { rows, experts: undefined };
    const answered = rows.map((row) => ({ ...row, experts: answersOf(row, names) }));
    return auditExperts(answered, names, given);
  },
  conclude({ rows, experts }, given) {
    const conclusion = stereotypes(rows, given);
    const corrected = conclusion.judge.length === 0 ? undefined : auditCorrection(rows, given);
    return { ...conclusion, experts, corrected };
  },
  readable: (conclusion) => readableStereotypes(conclusion, conclusion),
  csv: stereotypeRows,
  async figure(conclusion) {
    const { stereotypesFigure } = await import("../../../report/plots/stereotypes-plot.js");
    return stereotypesFigure(conclusion);
  },
});

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
