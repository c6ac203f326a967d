import type { NoPreferenceConclusion } from "../../analysis/no-preference.js";
import { csvLine } from "../../files/csv-text.js";

/** A row for each method at each setting; unrounded. */
export function preferenceCsv({ cells }: NoPreferenceConclusion): string {
  const columns = ["method", "prompts", "labels", "confidence", "confidenceLow", "confidenceHigh"];
  const more = ["accuracy", "accuracyLow", "accuracyHigh", "isBest", "pAdjusted"];
  return [
    csvLine([...columns, ...more]),
    ...cells.map(({ method, prompts, labels, confidence, accuracy, isBest, pAdjusted }) =>
      csvLine([
        ...[method, prompts, labels, confidence.value, confidence.low, confidence.high],
        ...[accuracy.value, accuracy.low, accuracy.high, String(isBest), pAdjusted],
      ]),
    ),
  ].join("");
}
