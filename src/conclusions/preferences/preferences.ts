import { preferencesOf } from "../../analysis/preferences/preferences.js";
import { conclusion } from "../conclusion.js";
import { readComparisons, readCounts, tells } from "./columns.js";
import { options } from "./options.js";
import { sums } from "./sums.js";
import { preferencesView } from "./view.js";

export default conclusion({
  title: "Preferences",
  description:
    "Ranks models by people's preferences: Bradley-Terry strengths, win rates of pairs, and " +
    "how often the image shown first is preferred. Reads JSONL, JSON, CSV or Parquet with the " +
    "columns a and b (models; the image of a was shown first), preferred (a, b, tie or the " +
    "model's name; empty: no answer) and, optionally, prompt and annotator. Intervals resample annotators, else " +
    "prompts. Where a model never lost, strengths are undefined without --prior. `touchstone " +
    "example preferences` prints a sample.",
  examples: [
    "touchstone analyze preferences preferences.csv",
    "touchstone analyze preferences preferences.jsonl --ties davidson --out preferences.html",
    "touchstone example preferences | touchstone analyze preferences - --json",
  ],
  example: {
    shows:
      "which of two images twelve people preferred, of four models, with ties and one unscored",
  },
  page: "preferences.html",
  options,
  tells,
  sums: async () => ({ sums, read: readCounts }),
  read: readComparisons,
  conclude: (table, given) => preferencesOf(table, given),
  view: preferencesView,
  async figure(found) {
    const { preferencesFigure } = await import("./figure.js");
    return preferencesFigure(found);
  },
});
