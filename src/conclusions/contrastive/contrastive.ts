import { contrastiveOf } from "../../analysis/pairs/contrastive.js";
import { evidenceOfRows } from "../../analysis/pairs/pair-evidence.js";
import { PairTable } from "../../analysis/pairs/pair-table.js";
import { conclusion } from "../conclusion.js";
import { drawsOfRows } from "../draw-columns.js";
import { parseRanges } from "../shared-options.js";
import { readPairs, tells } from "./columns.js";
import { options } from "./options.js";
import { contrastiveVerdict } from "./verdict.js";
import { contrastiveView } from "./view.js";

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
