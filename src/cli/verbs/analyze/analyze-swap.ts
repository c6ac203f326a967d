import { failureRateDifference } from "../../../analysis/pairs/failure-rate-difference.js";
import { swapTest } from "../../../analysis/pairs/swap-test.js";
import { optionalText, score, text } from "../../../files/table-columns.js";
import { readableSwap, swapVerdict } from "../../../report/text/swap-text.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import {
  type GivenTable,
  outArgument,
  readGivenTable,
  tableArguments,
} from "../../conclusions/table-arguments.js";
import { tieArguments, tieOptions } from "../../conclusions/tie-arguments.js";
import type { Environment } from "../../environment.js";
import { pairedShape, readPairColumns, wideArguments } from "./pair-columns.js";
import { swapCsv } from "./swap-csv.js";

const sides = ["original", "swapped"] as const;

export default command({
  description:
    "Measures how often metrics prefer a description whose attributes are swapped between " +
    "entities to the description that the image shows (L-VQAScore, section 3.2). Reads " +
    "JSONL, JSON, CSV or Parquet with the columns id, metric, original, swapped and, " +
    "optionally, prompt; an empty or null score is unscored. A failure is a better score for " +
    "the swapped description; ties are counted apart. `touchstone example swap` prints a " +
    "sample.",
  examples: [
    "touchstone analyze swap scores.csv",
    "touchstone analyze swap scores.csv --wide --out swap.html",
    "touchstone example swap | touchstone analyze swap - --json",
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
    ...tieArguments,
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const rows = await readRows(given, environment);
    const { direction, interval, resamples, seed } = given;
    const intervals = { interval, resamples, seed };
    const options = { direction, ...tieOptions(given), ...intervals };
    const conclusion = swapTest(rows, options);
    const pairs = rows.map(({ original, swapped, ...row }) => ({
      ...row,
      domain: "",
      correct: original,
      adversarial: swapped,
    }));
    const verdict = swapVerdict(conclusion, (metric, than) =>
      failureRateDifference(pairs, { metric, than, ties: "half", ...options }),
    );
    const readable = readableSwap(conclusion, verdict);
    const json = asJson({ ...conclusion, ...verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => swapCsv(conclusion),
      async figure() {
        const { swapFigure } = await import("../../../report/plots/swap.js");
        return swapFigure(conclusion);
      },
      draw,
      title: "Swap test",
      example: "swap.html",
    });
  },
});

async function readRows(given: GivenTable & { readonly wide: boolean }, environment: Environment) {
  const columns = { id: text, prompt: optionalText };
  if (!given.wide) {
    return readGivenTable(given, {
      columns: { ...columns, metric: text, original: score, swapped: score },
      unique: ["id", "metric"],
      otherShape: pairedShape(sides),
      environment,
    });
  }
  const read = await readPairColumns(given, { columns, sides, environment });
  return read.map(({ row, metric, scores: [original, swapped] }) => ({
    ...row,
    metric,
    original,
    swapped,
  }));
}
