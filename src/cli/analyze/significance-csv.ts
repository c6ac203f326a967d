import type { SignificanceConclusion } from "../../analysis/significance.js";
import { csvLine } from "../../files/csv-text.js";

/** A row for each test, unrounded. */
export function significanceCsv({ tests }: SignificanceConclusion): string {
  const columns = [
    ...(["metric", "method", "against", "n", "value", "againstValue"] as const),
    ...(["difference", "p", "pAdjusted"] as const),
  ];
  return [
    csvLine(columns),
    ...tests.map((test) => csvLine(columns.map((column) => test[column]))),
  ].join("");
}
