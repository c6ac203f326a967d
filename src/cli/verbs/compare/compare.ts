import { comparison } from "../../../analysis/comparison/comparison.js";
import { comparisonGate } from "../../../analysis/comparison/comparison-gate.js";
import { labelSamplings } from "../../../analysis/comparison/comparison-labels.js";
import { adjustments, comparisonTests } from "../../../analysis/comparison/comparison-test.js";
import { GateError } from "../../../core/errors.js";
import { gateText } from "../../../report/text/comparison-gate-text.js";
import { readableComparison } from "../../../report/text/comparison-text.js";
import { command } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { parseRanges } from "../../conclusions/score-ranges.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import { outArgument, tableArguments } from "../../conclusions/table-arguments.js";
import { tieArguments, tieOptions } from "../../conclusions/tie-arguments.js";
import type { Environment } from "../../environment.js";
import { isConclusion, readBaseline } from "./baseline.js";
import { comparisonCsv } from "./comparison-csv.js";
import { readComparisonTable } from "./comparison-table.js";

export default command({
  description:
    "Tests which of several text-to-image models is better by a metric: means, differences " +
    "and win rates with intervals, paired tests adjusted for the number of pairs, and a " +
    "verdict. Reads JSONL, JSON, CSV or Parquet with the columns model, prompt, score and, " +
    "optionally, human (a rating; higher is better): a few ratings then correct the metric " +
    "(prediction-powered inference). An empty or null score is unscored. Exit 4 means a " +
    "missed gate. --fail-under alone is the lowest acceptable mean of every model. With " +
    "--baseline (the .json of an earlier compare, or its table), no model may be " +
    "significantly worse on the shared prompts; with --fail-under too, each change must be " +
    "at least that: -0.02 allows a drop of 0.02. A model that can't be judged misses the " +
    "gate. `touchstone example compare` prints a sample.",
  examples: [
    "touchstone compare scores.csv",
    "touchstone compare wide.csv --scores A=score_a,B=score_b",
    "touchstone compare scores.jsonl --map model=input_model --map prompt=text --map score=value --metric vqa-score",
    "touchstone compare scores.csv --baseline previous.json --fail-under -0.02 --out summary.md",
    "touchstone example compare | touchstone compare - --json",
  ],
  arguments: {
    ...tableArguments,
    scores: {
      kind: "text",
      value: "A=COLUMN,B=COLUMN",
      description: "for wide tables: the column with each model's scores",
    },
    humans: {
      kind: "text",
      value: "A=COLUMN,B=COLUMN",
      description: "for --scores: the column with human ratings of each model",
    },
    metric: {
      kind: "text",
      value: "NAME",
      description: "the metric to compare by, where the column metric names several",
    },
    direction: {
      kind: "choice",
      choices: ["higher", "lower"],
      description: "which scores are better; default: the column direction, else higher",
    },
    test: {
      kind: "choice",
      choices: comparisonTests,
      default: "sign-flip",
      description: "the paired two-sided test of prompt differences",
    },
    adjust: {
      kind: "choice",
      choices: adjustments,
      default: "holm",
      description: "adjusts p-values for the number of pairs",
    },
    permutations: {
      kind: "number",
      integer: true,
      minimum: 100,
      maximum: 1_000_000,
      default: 10_000,
      description: "random sign flips above 20 prompts (up to 20, all are enumerated)",
    },
    labels: {
      kind: "choice",
      choices: labelSamplings,
      default: "random",
      description: "how the labelled rows were selected; only random labels correct the metric",
    },
    range: {
      kind: "text",
      value: "LOW,HIGH",
      description:
        "the metric's possible range, for bounds over unscored rows; default: the observed range",
    },
    baseline: {
      kind: "text",
      value: "FILE",
      description:
        "exit 4 if a model became worse than in this file: a .json of compare, or a table",
    },
    "fail-under": {
      kind: "number",
      description: "exit 4 if a mean is below N; with --baseline, if a change is below N",
    },
    ...tieArguments,
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const { test, adjust, permutations, labels, interval, resamples, seed } = given;
    const { baseline: baselineName, "fail-under": failUnder } = given;
    await checkOut(given.out, { ...environment, inputs: [baselineName] });
    await checkOut(given.plot, { ...environment, inputs: [baselineName], flag: "plot" });
    const range = given.range === undefined ? undefined : parseRanges([given.range])("");
    const table = await readComparisonTable(given, environment);
    const { rows, metric } = table;
    const direction = given.direction ?? table.direction ?? "higher";
    const intervals = { interval, resamples, seed };
    const options = { metric, direction, test, adjust, permutations, labels, ...intervals };
    const measure = { ...table.measure, ...(range === undefined ? {} : { range }) };
    const compared = comparison(rows, { ...options, range, measure, ...tieOptions(given) });
    const conclusion = { ...compared, warnings: [...table.notes, ...compared.warnings] };
    const baseline =
      baselineName === undefined
        ? undefined
        : await baselineOf(baselineName, { given, environment });
    const gate =
      baseline === undefined && failUnder === undefined
        ? undefined
        : comparisonGate(rows, conclusion, { baseline, failUnder, ...intervals });
    const readable = readableComparison(conclusion, gate && { gate, baselineName });
    const json = asJson({ ...conclusion, gate, verdict: readable.verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => comparisonCsv(conclusion),
      async figure() {
        const { comparisonFigure } = await import("../../../report/plots/comparison.js");
        return comparisonFigure(conclusion);
      },
      draw,
      title: "Comparison",
      example: "comparison.html",
    });
    if (gate?.passed === false) throw new GateError(gateText(gate, baselineName));
  },
});

/** An earlier conclusion, or a table read as this one is. */
async function baselineOf(
  file: string,
  {
    given,
    environment,
  }: {
    readonly given: Parameters<typeof readComparisonTable>[0];
    readonly environment: Environment;
  },
) {
  if (isConclusion(file)) return readBaseline(file, environment);
  const before = await readComparisonTable({ ...given, file, format: undefined }, environment);
  return { kind: "table", ...before } as const;
}
