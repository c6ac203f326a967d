import { judgeMetrics } from "../../../analysis/calibration/prediction-score.js";
import { significance, swapUnits } from "../../../analysis/calibration/significance.js";
import { adjustments } from "../../../analysis/comparison/comparison-test.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { readableSignificance } from "../../../report/text/significance-text.js";
import { answer, optionalText, probability, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { methodShape, readMethodColumns } from "./method-columns.js";
import { significanceRows } from "./significance-rows.js";

export default conclusion({
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
  title: "Significance",
  example: "tests.html",
  arguments: {
    methods: {
      kind: "text",
      value: "A=COLUMN,B=COLUMN",
      description: "for a row per item: each method's column of probabilities",
    },
    metric: {
      kind: "choice",
      choices: judgeMetrics,
      description: "test only this metric (default: all)",
    },
    unit: {
      kind: "choice",
      choices: swapUnits,
      default: "item",
      description: "the unit that is swapped between judges",
    },
    adjust: {
      kind: "choice",
      choices: adjustments,
      default: "by",
      description: "adjusts the p-values of a metric for the number of tests",
    },
    permutations: {
      kind: "number",
      integer: true,
      minimum: 100,
      maximum: 1_000_000,
      default: 10_000,
      description: "permutations of each test",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description: "the random seed of the permutations",
    },
  },
  async read(given, inputs) {
    const run = given.unit === "run" ? text : optionalText;
    const unique = given.unit === "run" ? (["run", "id"] as const) : (["id"] as const);
    if (given.methods !== undefined) {
      return readMethodColumns(given, { methods: given.methods, run, unique, inputs });
    }
    const labels = new Map<string, 0 | 1>();
    const read = tableReader({
      columns: { id: text, method: text, label: answer, probability, run },
      unique: [...unique, "method"],
      fault({ id, label }) {
        if (label === null) return undefined;
        const earlier = labels.get(id) ?? label;
        labels.set(id, earlier);
        return earlier === label
          ? undefined
          : `Expected one label for id "${id}" but received both 0 and 1`;
      },
      otherShape: (columns) =>
        given.unit === "run" && columns.includes("probability") && !columns.includes("run")
          ? "The column run names a judge's runs; --unit item needs none"
          : methodShape(columns),
    });
    return read(given, inputs);
  },
  conclude: (rows, { metric, ...given }) =>
    significance(rows, { ...given, metrics: metric === undefined ? judgeMetrics : [metric] }),
  readable: readableSignificance,
  csv: significanceRows,
  async figure(conclusion) {
    const { significanceFigure } = await import("../../../report/plots/significance-plot.js");
    return significanceFigure(conclusion);
  },
});
