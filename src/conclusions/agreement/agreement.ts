import { agreementOf } from "../../analysis/agreement/agreement.js";
import { conclusion } from "../conclusion.js";
import { options, parseCategories, ratingColumns, readRatings } from "./columns.js";
import { agreementView } from "./view.js";

export default conclusion({
  title: "Agreement",
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
  example: {
    shows: "three annotators' ratings of twelve images from 1 to 5, with one missing",
    words: ["--scale", "ordinal"],
  },
  page: "agreement.html",
  options,
  sums: () => import("./sums.js"),
  read: async (given, inputs): Promise<{ columns: Parameters<typeof agreementOf>[0] }> =>
    readRatings(given, inputs, ratingColumns),
  conclude: ({ columns }, { categories, ...given }) =>
    agreementOf(columns, { ...given, categories: parseCategories(categories) }),
  view: agreementView,
  async figure(found) {
    const { agreementFigure } = await import("./figure.js");
    return agreementFigure(found);
  },
});
