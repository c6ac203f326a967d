import type { StereotypeConclusion } from "../../../analysis/stereotypes/stereotypes.js";
import { csvLine } from "../../../files/csv-text.js";

/** A row for each category, and in it for each model; indices from 0 to 1, unrounded. */
export function stereotypesCsv({ categories, overall }: StereotypeConclusion): string {
  const header = [
    ...["scope", "category", "model", "pairs", "dropped", "initial", "refined"],
    ...["difference", "differenceLow", "differenceHigh", "t", "df", "p", "cohensDz"],
  ];
  const lines = [
    { scope: "overall", category: "", summary: overall },
    ...Object.entries(categories).map(([category, summary]) => ({
      scope: "category",
      category,
      summary,
    })),
  ].flatMap(({ scope, category, summary }) => [
    { scope, category, model: "", change: summary, test: summary.test },
    ...Object.entries(summary.models).map(([model, change]) => ({
      scope: `${scope} model`,
      category,
      model,
      change,
      test: undefined,
    })),
  ]);
  return [
    csvLine(header),
    ...lines.map(({ scope, category, model, change, test }) =>
      csvLine([
        ...[scope, category, model, change.pairs, change.dropped, change.initial, change.refined],
        ...[change.difference.value, change.difference.low, change.difference.high],
        ...[test?.t ?? null, test?.df ?? null, test?.p ?? null, test?.cohensDz ?? null],
      ]),
    ),
  ].join("");
}
