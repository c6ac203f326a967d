import { judgeMetrics } from "../../analysis/calibration/prediction-score.js";
import { significanceOf } from "../../analysis/calibration/significance.js";
import { conclusion } from "../conclusion.js";
import { readPredictions, tells } from "./columns.js";
import { options } from "./options.js";
import { significanceView } from "./view.js";

export default conclusion({
  title: "Significance",
  description:
    "Tests whether the best of several judges is significantly better: paired permutation " +
    "tests of every method against the best, adjusted for their number. Unscored rows are " +
    "excluded and have bounds. Reads JSONL, JSON, CSV or Parquet with the columns id, " +
    "method, label (0 or 1), probability (of label 1; empty: no answer) and, for --unit run, " +
    "run. `touchstone example significance` prints a sample.",
  examples: [
    "touchstone analyze significance judges.csv",
    "touchstone analyze significance wide.csv --methods A=p_a,B=p_b",
    "touchstone analyze significance judges.csv --metric ece --unit run --out tests.html",
    "touchstone example significance | touchstone analyze significance - --json",
  ],
  example: { shows: "three judges' probabilities for 24 labels, one of them unscored" },
  page: "tests.html",
  options,
  tells,
  read: readPredictions,
  conclude: ({ columns }, { metric, ...given }) =>
    significanceOf(columns, {
      ...given,
      metrics: metric === undefined ? judgeMetrics : [metric],
    }),
  view: significanceView,
  async figure(found) {
    const { significanceFigure } = await import("./figure.js");
    return significanceFigure(found);
  },
});
