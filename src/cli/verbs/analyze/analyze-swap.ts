import { failureRateDifference } from "../../../analysis/pairs/failure-rate-difference.js";
import type { SwapRow } from "../../../analysis/pairs/swap.js";
import { swapTest } from "../../../analysis/pairs/swap-test.js";
import { intervalArguments, tieArguments } from "../../../conclusions/shared-options.js";
import { readableSwap, swapVerdict } from "../../../report/text/swap-text.js";
import { optionalText, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { pairReader, wideArguments } from "./pair-columns.js";

const sides = ["original", "swapped"] as const;

const read = pairReader({ id: text, prompt: optionalText }, sides);

export default conclusion({
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
  title: "Swap test",
  example: "swap.html",
  arguments: {
    ...wideArguments(sides),
    direction: {
      kind: "choice",
      choices: ["higher", "lower"],
      default: "higher",
      description: "which scores are better",
    },
    ...tieArguments,
    ...intervalArguments,
  },
  async read(given, inputs) {
    const rows: SwapRow[] = [];
    await read(given, inputs, (row) => rows.push(row));
    return rows;
  },
  conclude(rows, { "tie-tolerance": tieTolerance, ...given }) {
    const options = { ...given, tieTolerance };
    const conclusion = swapTest(rows, options);
    const pairs = rows.map(({ original, swapped, ...row }) => ({
      ...row,
      domain: "",
      correct: original,
      adversarial: swapped,
    }));
    const verdict = swapVerdict(conclusion, (metric, than) =>
      failureRateDifference(pairs, { ...options, metric, than, ties: "half" }),
    );
    return { ...conclusion, ...verdict };
  },
  readable: (conclusion) => readableSwap(conclusion, conclusion),
  csv: ({ metrics }) =>
    Object.entries(metrics).map(([metric, { n, unscored, failures, ties, bounds, ...rates }]) => ({
      metric,
      n,
      unscored,
      failures,
      ties,
      failureRate: rates.failureRate,
      tieRate: rates.tieRate,
      failuresAndHalfTies: rates.failuresAndHalfTies,
      difference: rates.difference,
      bounds,
    })),
  async figure(conclusion) {
    const { swapFigure } = await import("../../../report/plots/swap-plot.js");
    return swapFigure(conclusion);
  },
});
