import { raterModels } from "../../analysis/raters/rater-models.js";
import { ratersOf } from "../../analysis/raters/raters.js";
import type { Arguments, Given } from "../../core/options.js";
import { type NumberKind, numeric } from "../../tables/columns.js";
import type { Table, TableShape } from "../../tables/shapes.js";
import {
  options as agreement,
  parseCategories,
  type Ratings,
  type RatingsAsked,
  ratingColumns,
  readRatings,
} from "../agreement/columns.js";
import { conclusion } from "../conclusion.js";
import { seedArgument } from "../shared-options.js";
import type { GivenTable, Inputs } from "../table-options.js";
import { answerTable, ratersView } from "./view.js";

type TimedRatings = Ratings & { readonly seconds?: NumberKind<number | null> };

/** Ratings as `analyze agreement` reads them and, where each row is one, how long it took. */
const columns = (given: RatingsAsked): TableShape<TimedRatings> => {
  const shape = ratingColumns(given);
  if (given.raters !== undefined) return shape;
  return { ...shape, kinds: { ...shape.kinds, seconds: { ...numeric, isRequired: false } } };
};

const readTimedRatings = (
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<Table<TimedRatings>> => readRatings({ ...given, scale: "nominal" }, inputs, columns);

export const options = {
  model: {
    kind: "choice",
    choices: ["auto", ...raterModels],
    default: "auto",
    description: "how raters err (default: the model that foretells answers it has not seen best)",
  },
  categories: agreement.categories,
  raters: agreement.raters,
  values: agreement.values,
  resamples: {
    kind: "number",
    integer: true,
    minimum: 50,
    maximum: 10_000,
    default: 200,
    description: "resamples of items, the model fitted to each",
  },
  seed: seedArgument("the random seed of resamples and of what is held out"),
} as const satisfies Arguments;

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
