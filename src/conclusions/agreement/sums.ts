import { optionalText } from "../../tables/columns.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { readSums, repeated } from "../sums/sums-table.js";
import type { GivenTable, Inputs } from "../table-options.js";
import { type RatingsAsked, ratingColumns } from "./columns.js";

const kinds = { rated_item: optionalText, rated_by: optionalText, said: optionalText };

/** Ratings, counted by item and category; where annotators are named, kappas of two need each by itself. */
export const sums: SumsSpec<typeof kinds> = {
  name: "agreement",
  texts: { item: "item", annotator: "annotator", category: "value" },
  unique: ["item", "annotator"],
  parts: () => ({
    ratings: { from: rows, by: { rated_item: "item", rated_by: "annotator", said: "category" } },
  }),
  kinds,
  required: { ratings: { rated_item: "item" } },
  only: { raters: null },
};

/** @throws InputError as `readSums` does. */
export async function read(given: GivenTable & RatingsAsked, inputs: Inputs) {
  const { value } = ratingColumns(given).kinds;
  const table = await readSums({ ...sums, kinds: { ...kinds, said: value } }, [given, inputs]);
  const { rated_item: item, rated_by: annotator, said } = repeated(table, "ratings");
  return { columns: { item, annotator, value: said } };
}
