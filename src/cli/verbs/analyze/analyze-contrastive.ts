import { contrastive } from "../../../analysis/pairs/contrastive.js";
import { failureRateDifference } from "../../../analysis/pairs/failure-rate-difference.js";
import { scoreScales } from "../../../analysis/pairs/score-scale.js";
import { optionalText, score, text } from "../../../files/table-columns.js";
import { readableContrastive } from "../../../report/text/contrastive-tables.js";
import { contrastiveVerdict } from "../../../report/verdicts/contrastive-verdict.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { parseRanges } from "../../conclusions/score-ranges.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import {
  type GivenTable,
  outArgument,
  readGivenTable,
  tableArguments,
} from "../../conclusions/table-arguments.js";
import { tieArguments, tieOptions } from "../../conclusions/tie-arguments.js";
import type { Environment } from "../../environment.js";
import { contrastiveCsv } from "./contrastive-csv.js";
import { pairedShape, readPairColumns, wideArguments } from "./pair-columns.js";

const sides = ["correct", "adversarial"] as const;

export default command({
  description:
    "Measures how often, and by how much, metrics prefer a wrong but typical image to a " +
    "right but untypical one. Reads JSONL, JSON, CSV or Parquet with the columns id, metric, " +
    "domain, correct, adversarial and, optionally, prompt; an empty or null score is " +
    "unscored. Ties count as failures. `touchstone example contrastive` prints a sample.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze contrastive wide.csv --wide",
    "touchstone analyze contrastive scores.jsonl --map correct=score_right --out failures.html",
    "touchstone example contrastive | touchstone analyze contrastive - --json",
  ],
  arguments: {
    ...tableArguments,
    ...wideArguments(sides),
    direction: {
      kind: "choice",
      choices: ["higher", "lower"],
      default: "higher",
      description: "which scores are better",
    },
    scale: {
      kind: "choice",
      choices: scoreScales,
      default: "none",
      description: "how scores are scaled to [0, 1] for means and margins; rankings use raw scores",
    },
    range: {
      kind: "text",
      repeated: true,
      value: "[METRIC=]LOW,HIGH",
      description: "the lowest and highest possible score, for --scale range",
    },
    ...tieArguments,
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const rangeOf = parseRanges(given.range);
    const rows = await readRows(given, environment);
    const { direction, scale, interval, resamples, seed } = given;
    const intervals = { interval, resamples, seed };
    const options = { direction, ...tieOptions(given), ...intervals };
    const conclusion = contrastive(rows, { scale, rangeOf, ...options });
    const verdict = contrastiveVerdict(conclusion, (metric, than) =>
      failureRateDifference(rows, { metric, than, ...options }),
    );
    const readable = readableContrastive(conclusion, verdict);
    const json = asJson({ ...conclusion, ...verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => contrastiveCsv(conclusion),
      async figure() {
        const { contrastiveFigure } = await import("../../../report/plots/contrastive.js");
        return contrastiveFigure(conclusion);
      },
      draw,
      title: "Contrastive analysis",
      example: "failures.html",
    });
  },
});

async function readRows(given: GivenTable & { readonly wide: boolean }, environment: Environment) {
  const columns = { id: text, domain: text, prompt: optionalText };
  if (!given.wide) {
    return readGivenTable(given, {
      columns: { ...columns, metric: text, correct: score, adversarial: score },
      unique: ["id", "metric"],
      otherShape: pairedShape(sides),
      environment,
    });
  }
  const read = await readPairColumns(given, { columns, sides, environment });
  return read.map(({ row, metric, scores: [correct, adversarial] }) => ({
    ...row,
    metric,
    correct,
    adversarial,
  }));
}
