import { contrastiveOf } from "../../../analysis/pairs/contrastive.js";
import { failureRateDifferenceOf } from "../../../analysis/pairs/failure-rate-difference.js";
import { PairTable } from "../../../analysis/pairs/pair-table.js";
import { scoreScales } from "../../../analysis/pairs/score-scale.js";
import {
  intervalArguments,
  parseRanges,
  tieArguments,
} from "../../../conclusions/shared-options.js";
import { readableContrastive } from "../../../report/text/contrastive-tables.js";
import { contrastiveVerdict } from "../../../report/verdicts/contrastive-verdict.js";
import { optionalText, text } from "../../../tables/columns.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { contrastiveRows } from "./contrastive-rows.js";
import { pairReader, wideArguments } from "./pair-columns.js";

const sides = ["correct", "adversarial"] as const;

const read = pairReader({ id: text, domain: text, prompt: optionalText }, sides);

export default conclusion({
  description:
    "Measures how often, and by how much, metrics prefer a wrong but typical image to a " +
    "right but atypical one. Reads JSONL, JSON, CSV or Parquet with the columns id, metric, " +
    "domain, correct, adversarial and, optionally, prompt; an empty or null score is " +
    "unscored. Ties count as failures. `touchstone example contrastive` prints a sample.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze contrastive wide.csv --wide",
    "touchstone analyze contrastive scores.jsonl --map correct=score_right --out failures.html",
    "touchstone example contrastive | touchstone analyze contrastive - --json",
  ],
  title: "Contrastive analysis",
  example: "failures.html",
  arguments: {
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
  },
  async read(given, inputs) {
    const pairs = new PairTable();
    await read(given, inputs, pairs);
    return pairs;
  },
  conclude(pairs, { "tie-tolerance": tieTolerance, range, ...given }) {
    const options = { ...given, tieTolerance };
    const conclusion = contrastiveOf(pairs, { ...options, rangeOf: parseRanges(range) });
    const verdict = contrastiveVerdict(conclusion, (metric, than) =>
      failureRateDifferenceOf(pairs, { ...options, metric, than }),
    );
    return { ...conclusion, ...verdict };
  },
  readable: (conclusion) => readableContrastive(conclusion, conclusion),
  csv: contrastiveRows,
  async figure(conclusion) {
    const { contrastiveFigure } = await import("../../../report/plots/contrastive-plot.js");
    return contrastiveFigure(conclusion);
  },
});
