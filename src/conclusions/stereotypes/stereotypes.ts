import { auditCorrection } from "../../analysis/stereotypes/audit-correction.js";
import { stereotypes, stereotypesOf } from "../../analysis/stereotypes/stereotypes.js";
import { conclusion } from "../conclusion.js";
import { options, readAudit } from "./columns.js";
import { stereotypesView } from "./view.js";

export default conclusion({
  title: "Stereotypes before and after",
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
  example: {
    shows: "a rubric's answers on images of three queries, before and after refining the prompts",
  },
  page: "stereotypes.html",
  options,
  sums: () => import("./sums.js"),
  read: readAudit,
  conclude({ rows, experts, evidence }, given) {
    const conclusion = evidence ? stereotypesOf(evidence, given) : stereotypes(rows, given);
    const corrected = conclusion.judge.length === 0 ? undefined : auditCorrection(rows, given);
    return { ...conclusion, experts, corrected };
  },
  view: (found) => stereotypesView(found, found),
  async figure(found) {
    const { stereotypesFigure } = await import("./figure.js");
    return stereotypesFigure(found);
  },
});
