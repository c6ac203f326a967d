import { comparison } from "../../../analysis/comparison/comparison.js";
import { comparisonGate } from "../../../analysis/comparison/comparison-gate.js";
import { labelSamplings } from "../../../analysis/comparison/comparison-labels.js";
import { adjustments, comparisonTests } from "../../../analysis/comparison/comparison-test.js";
import {
  intervalArguments,
  parseRanges,
  tieArguments,
} from "../../../conclusions/shared-options.js";
import type { Inputs } from "../../../conclusions/table-options.js";
import { GateError, InputError } from "../../../core/errors.js";
import { gateText } from "../../../report/text/comparison-gate-text.js";
import { readableComparison } from "../../../report/text/comparison-text.js";
import { quoted } from "../../../tables/format.js";
import { countText } from "../../../views/number-text.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { isConclusion, readBaseline } from "./baseline.js";
import { comparisonRows } from "./comparison-rows.js";
import { type GivenComparison, readComparisonTable } from "./comparison-table.js";
import { comparedPair } from "./find-compared-pair.js";

/** More of them are rarely models: the column holds ids, or names of images. */
const mostModels = 100;

export default conclusion({
  description:
    "Tests which of several text-to-image models is better by a metric: means, differences " +
    "and win rates with intervals, paired tests adjusted for the number of pairs, and a " +
    "verdict. Reads JSONL, JSON, CSV or Parquet with the columns model, prompt, score and, " +
    "optionally, human (a rating; higher is better): a few ratings then correct the metric " +
    "(prediction-powered inference), and image (a file), of which --out page.html shows a pair. Results " +
    "of score are read as they are. An empty or null score is unscored. Exit 4 means a " +
    "missed gate. --fail-under alone is the lowest acceptable mean of every model. With " +
    "--baseline (the .json of an earlier compare, or its table), no model may be " +
    "significantly worse on the shared prompts; with --fail-under too, each change must be " +
    "at least that: -0.02 allows a drop of 0.02. A model that can't be judged misses the " +
    "gate. `touchstone example compare` prints a sample.",
  examples: [
    "touchstone compare scores.csv",
    "touchstone compare wide.csv --scores A=score_a,B=score_b",
    "touchstone compare scores-a.jsonl scores-b.jsonl --metric vqa-score",
    "touchstone compare scores.csv --baseline previous.json --fail-under -0.02 --out summary.md",
    "touchstone example compare | touchstone compare - --json",
  ],
  title: "Comparison",
  example: "comparison.html",
  arguments: {
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
      description: "which scores are better (default: the column direction, else higher)",
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
        "the metric's possible range, for bounds over unscored rows (default: the observed range)",
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
    "many-models": {
      kind: "switch",
      description: `also compare more than ${mostModels} models; time grows with the number of pairs`,
    },
    ...tieArguments,
    ...intervalArguments,
  },
  alsoReads: ({ baseline }) => baseline,
  async read(given, inputs) {
    const range = given.range === undefined ? undefined : parseRanges([given.range])("");
    const table = await readComparisonTable(given, inputs);
    if (!given["many-models"]) checkModels(table.rows);
    return { range, table };
  },
  async conclude({ range, table }, given, inputs) {
    const { "fail-under": failUnder, "tie-tolerance": tieTolerance } = given;
    const compared = comparison(table.rows, {
      ...given,
      metric: table.metric,
      direction: given.direction ?? table.direction ?? "higher",
      range,
      measure: { ...table.measure, ...(range === undefined ? {} : { range }) },
      tieTolerance,
    });
    const conclusion = { ...compared, warnings: [...table.notes, ...compared.warnings] };
    const baseline = await baselineOf(given, inputs);
    const gate =
      baseline === undefined && failUnder === undefined
        ? undefined
        : comparisonGate(table.rows, conclusion, { ...given, range, baseline, failUnder });
    return { ...conclusion, gate };
  },
  readable: (conclusion, { baseline: baselineName }) =>
    readableComparison(conclusion, conclusion.gate && { gate: conclusion.gate, baselineName }),
  csv: comparisonRows,
  async figure(conclusion) {
    const { comparisonFigure } = await import("../../../report/plots/comparison-plot.js");
    return comparisonFigure(conclusion);
  },
  pair: (conclusion, { table }, { direction }) =>
    comparedPair(conclusion, { ...table, direction: direction ?? table.direction }),
  finish({ gate }, { baseline }) {
    if (gate?.passed === false) throw new GateError(gateText(gate, baseline));
  },
});

/** @throws InputError where there are so many models that their column likely holds ids. */
function checkModels(rows: readonly { readonly model: string }[]): void {
  const models = new Set(rows.map(({ model }) => model));
  if (models.size <= mostModels) return;
  const pairs = (models.size * (models.size - 1)) / 2;
  const [first, second] = models;
  throw new InputError(
    `Expected at most ${mostModels} models but the column model has ${countText(models.size)} values, such as ` +
      `${quoted(first)} and ${quoted(second)}: it looks like an id, and ${countText(pairs)} pairs would be tested`,
    {
      hint: "Name the column with the models: --map model=my_column; or compare them all: --many-models",
    },
  );
}

/** An earlier conclusion, or a table read as this one is; undefined where none was given. */
async function baselineOf(
  given: GivenComparison & { readonly baseline: string | undefined },
  inputs: Inputs,
) {
  const { baseline: file } = given;
  if (file === undefined) return undefined;
  if (isConclusion(file)) return readBaseline(file, inputs);
  const before = await readComparisonTable(
    { ...given, file: [file], format: undefined, join: undefined },
    inputs,
  );
  return { kind: "table", ...before } as const;
}
