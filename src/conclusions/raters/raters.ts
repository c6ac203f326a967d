import { ratersOf } from "../../analysis/raters/raters.js";
import { parseCategories } from "../agreement/columns.js";
import { conclusion } from "../conclusion.js";
import { readTimedRatings } from "./columns.js";
import { options } from "./options.js";
import { answerTable, ratersView } from "./view.js";

export default conclusion({
  title: "Raters",
  description:
    "Estimates how reliable each rater is and what each item's answer is likely to be, beside the majority " +
    "vote: MACE, GLAD, shifted thresholds for ordered categories, or Dawid and Skene's confusion matrices; " +
    "which of them is chosen by the likelihood of held-out ratings. Says who is not better than guessing, who " +
    "copies and who is fast and always says the same, and what leaving them out would change; it leaves nobody " +
    "out. Reads JSONL, JSON, CSV or Parquet with the columns item, annotator and value and, optionally, seconds, " +
    "or with one row for each item and one column for each annotator (--raters). Where most raters are wrong " +
    "together, so is every model. `touchstone example raters` prints a sample.",
  examples: [
    "touchstone analyze raters ratings.csv",
    "touchstone analyze raters ratings.csv --answers-out answers.csv",
    "touchstone analyze raters wide.csv --raters anna,ben,carla --model dawid-skene",
    "touchstone example raters | touchstone analyze raters - --json",
  ],
  example: { shows: "answers of nine raters to whether forty images fit their prompts" },
  page: "raters.html",
  options,
  read: readTimedRatings,
  conclude: ({ columns }, { categories, model, resamples, seed }) =>
    ratersOf(columns, { model, resamples, seed, categories: parseCategories(categories) }),
  view: ratersView,
  files: {
    answers: { description: "item, answer and probability of each item", table: answerTable },
  },
  async figure(found) {
    const { ratersFigure } = await import("./figure.js");
    return ratersFigure(found);
  },
});
