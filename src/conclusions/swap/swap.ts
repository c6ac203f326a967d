import { failureRateDifferenceOf } from "../../analysis/pairs/failure-rate-difference.js";
import { PairTable } from "../../analysis/pairs/pair-table.js";
import { swapTestOf } from "../../analysis/pairs/swap-test.js";
import { conclusion } from "../conclusion.js";
import { readPairs, tells } from "./columns.js";
import { options } from "./options.js";
import { excludedWarnings, swapVerdict, unreferencedVerdict } from "./verdict.js";
import { swapView } from "./view.js";

export default conclusion({
  title: "Swap test",
  description:
    "Measures how often metrics prefer a description whose attributes are swapped between " +
    "entities to the description that the image shows (L-VQAScore, section 3.2). Reads " +
    "JSONL, JSON, CSV or Parquet with the columns id, metric, original, swapped and, " +
    "optionally, prompt and asDescribed (1: the image shows the description, by people or the truth; " +
    "0: it doesn't); an empty or null score is unscored. A failure is a better score for " +
    "the swapped description; ties are counted apart. Rows whose image is not as described are left " +
    "out, since the swapped description may be right; without asDescribed there is no verdict on " +
    "metrics. `touchstone example swap` prints a sample.",
  examples: [
    "touchstone analyze swap scores.csv",
    "touchstone analyze swap scores.csv --wide --out swap.html",
    "touchstone example swap | touchstone analyze swap - --json",
  ],
  example: {
    shows: "two metrics' scores of twelve images for their descriptions and the swapped ones",
  },
  page: "swap.html",
  options,
  tells,
  async read(given, inputs) {
    const { length, columns } = await readPairs(given, inputs);
    const { id, metric, prompt, original, swapped, asDescribed } = columns;
    const domain = { codes: new Int32Array(length), names: [""] };
    const sides = { correct: original, adversarial: swapped };
    return { pairs: new PairTable({ id, metric, domain, prompt, ...sides }), asDescribed };
  },
  conclude({ pairs: all, asDescribed }, { "tie-tolerance": tieTolerance, ...given }) {
    const options = { ...given, tieTolerance };
    if (asDescribed.every(Number.isNaN)) {
      const conclusion = swapTestOf(all, options);
      return { ...conclusion, ...unreferencedVerdict(conclusion) };
    }
    const rows = Int32Array.from(asDescribed.keys());
    const pairs = all.only(rows.filter((row) => asDescribed[row] === 1));
    const conclusion = swapTestOf(pairs, options);
    const excluded = all.length - pairs.length;
    const verdict = swapVerdict(conclusion, (metric, than) =>
      failureRateDifferenceOf(pairs, { ...options, metric, than, ties: "half" }),
    );
    const warnings = [...excludedWarnings(excluded, all.length), ...conclusion.warnings];
    return { ...conclusion, excluded, warnings, ...verdict };
  },
  view: swapView,
  async figure(found) {
    const { swapFigure } = await import("./figure.js");
    return swapFigure(found);
  },
});
