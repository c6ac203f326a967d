import { agreement } from "../../../analysis/agreement/agreement.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { readableAgreement } from "../../../report/text/agreement-text.js";
import { ratingScales } from "../../../stats/krippendorff-alpha.js";
import { optionalText, text } from "../../../tables/columns.js";
import { parseValues, recoded, valuesArgument } from "../../../tables/recoded-column.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { agreementRows } from "./agreement-rows.js";
import { categoryColumn, categoryName } from "./category-column.js";
import { parseRaters, raterShape, readRaterColumns } from "./rater-columns.js";

export default conclusion({
  description:
    "Measures how far annotators agree: majority share, Cohen's kappa of each pair (no, " +
    "linear and quadratic weights), Fleiss' kappa and Krippendorff's alpha. Reads JSONL, " +
    "JSON, CSV or Parquet with the columns item, annotator and value, or with one row for " +
    "each item and one column for each annotator (--raters); an empty or null value is a " +
    "missing rating. Without annotator, raters are anonymous: only Fleiss and Krippendorff. " +
    "Where items differ in their number of ratings, Fleiss' kappa is generalised (Gwet " +
    "2014). Intervals always resample items. `touchstone example agreement` prints a sample.",
  examples: [
    "touchstone analyze agreement ratings.csv --scale ordinal",
    "touchstone analyze agreement ratings.csv --scale ordinal --categories bad,fair,good",
    "touchstone analyze agreement wide.csv --scale ordinal --raters anna,ben,carla",
    "touchstone example agreement | touchstone analyze agreement - --scale nominal --json",
  ],
  title: "Agreement",
  example: "agreement.html",
  arguments: {
    scale: {
      kind: "choice",
      choices: ratingScales,
      required: true,
      description: "the level of measurement: categories, ordered categories, or numbers",
    },
    categories: {
      kind: "text",
      value: "A,B,C",
      description: "all categories, in order (default: the values found, sorted)",
    },
    raters: {
      kind: "text",
      value: "A,B",
      description: "one column for each annotator, instead of the columns annotator and value",
    },
    ...valuesArgument,
    resamples: intervalArguments.resamples,
    seed: intervalArguments.seed,
  },
  async read(given, inputs) {
    const categories = parseCategories(given.categories);
    const value = recoded(categoryColumn({ ...given, categories }), parseValues(given.values));
    if (given.raters !== undefined) {
      return readRaterColumns(given, { raters: parseRaters(given.raters), value, inputs });
    }
    const read = tableReader({
      columns: { item: text, annotator: optionalText, value },
      unique: ["item", "annotator"],
      otherShape: raterShape,
    });
    return read(given, inputs);
  },
  conclude: (rows, given) =>
    agreement(rows, { ...given, categories: parseCategories(given.categories) }),
  readable: (conclusion) => readableAgreement(conclusion),
  csv: agreementRows,
  async figure(conclusion) {
    const { agreementFigure } = await import("../../../report/plots/agreement-plot.js");
    return agreementFigure(conclusion);
  },
});

function parseCategories(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const names = given.split(",").map(categoryName);
  if (names.length < 2 || names.includes("") || new Set(names).size < names.length) {
    throw new InputError(
      `Expected two or more different categories for --categories but received "${given}"`,
      { hint: "In their order, such as --categories 1,2,3,4,5" },
    );
  }
  return names;
}
