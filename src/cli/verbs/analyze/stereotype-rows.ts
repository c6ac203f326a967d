import type { IndexChange } from "../../../analysis/stereotypes/index-change.js";
import type { StereotypeConclusion } from "../../../analysis/stereotypes/stereotypes.js";
import { type CsvRow, noEstimate } from "../../conclusions/flat-table.js";

/** A row for each category, and in it for each model; indices from 0 to 1. */
export const stereotypeRows = ({ categories, overall }: StereotypeConclusion): CsvRow[] =>
  [
    { scope: "overall", category: "", summary: overall },
    ...Object.entries(categories).map(([category, summary]) => ({
      scope: "category",
      category,
      summary,
    })),
  ].flatMap(({ scope, category, summary }) => [
    { scope, category, model: "", ...changeCells(summary), ...testCells(summary.test) },
    ...Object.entries(summary.models).map(([model, change]) => ({
      scope: `${scope} model`,
      category,
      model,
      ...changeCells(change),
      ...testCells(undefined),
    })),
  ]);

const changeCells = ({ pairs, dropped, initial, refined, difference, fall }: IndexChange) => ({
  pairs,
  dropped,
  initial,
  refined,
  difference,
  fall: fall ?? noEstimate,
});

const testCells = (test: StereotypeConclusion["overall"]["test"] | undefined) => ({
  t: test?.t ?? null,
  df: test?.df ?? null,
  p: test?.p ?? null,
  cohensDz: test?.cohensDz ?? null,
});
