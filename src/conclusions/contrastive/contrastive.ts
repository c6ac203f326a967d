import { contrastiveOf } from "../../analysis/pairs/contrastive.js";
import { evidenceOfRows } from "../../analysis/pairs/pair-evidence.js";
import { PairTable } from "../../analysis/pairs/pair-table.js";
import { scoreScales } from "../../analysis/pairs/score-scale.js";
import type { Arguments } from "../../core/options.js";
import { numeric, optionalText, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { conclusion } from "../conclusion.js";
import { drawKindsWithProbability, drawsOfRows } from "../draw-columns.js";
import { pairReader, pairsSideBySide, wideArguments } from "../pair-columns.js";
import { intervalArguments, parseRanges, tieArguments } from "../shared-options.js";
import { contrastiveVerdict } from "./verdict.js";
import { contrastiveView } from "./view.js";

const sides = ["correct", "adversarial"] as const;

/** By `readTable`; `outcomeOf` (analysis/pairs/pair-sums.ts) then says of each row whether it fails. */
const readPairs = pairReader(
  { id: text, domain: text, prompt: optionalText, ...drawKindsWithProbability },
  sides,
);

const tells: Tells = {
  columns: { id: text, metric: text, domain: text, correct: numeric, adversarial: numeric },
  sideBySide: pairsSideBySide(sides),
};

const options = {
  ...wideArguments(["correct", "adversarial"]),
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
} as const satisfies Arguments;

export default conclusion({
  title: "Contrastive analysis",
  description:
    "Measures how often, and by how much, metrics prefer a wrong but typical image to a " +
    "right but atypical one. Reads JSONL, JSON, CSV or Parquet with the columns id, metric, " +
    "domain, correct, adversarial and, optionally, prompt, weight (1 / probability of the row's draw), stratum and round; an empty or null score is " +
    "unscored. Ties count as failures. `touchstone example contrastive` prints a sample.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze contrastive wide.csv --wide",
    "touchstone analyze contrastive scores.jsonl --map correct=score_right --out failures.html",
    "touchstone example contrastive | touchstone analyze contrastive - --json",
  ],
  example: { shows: "two metrics' scores of eight triplets, with a tie and an unscored one" },
  page: "failures.html",
  options,
  tells,
  sums: () => import("./sums.js"),
  async read(given, inputs) {
    const table = await readPairs(given, inputs);
    const draws = drawsOfRows(table);
    return evidenceOfRows(new PairTable({ ...table.columns, ...(draws && { draws }) }));
  },
  conclude(pairs, { "tie-tolerance": tieTolerance, range, ...given }) {
    const options = { ...given, tieTolerance };
    const conclusion = contrastiveOf(pairs, { ...options, rangeOf: parseRanges(range) });
    const verdict = contrastiveVerdict(conclusion, (metric, than) =>
      pairs.differenceOf({ ...options, metric, than }),
    );
    return { ...conclusion, ...verdict };
  },
  view: contrastiveView,
  async figure(found) {
    const { contrastiveFigure } = await import("./figure.js");
    return contrastiveFigure(found);
  },
});
