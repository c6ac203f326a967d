import type { EnsembleConclusion } from "../../../analysis/ensemble/ensemble.js";
import { ensembleMethods } from "../../../analysis/ensemble/ensemble-methods.js";
import { csvLine } from "../../../files/csv-text.js";

/** A row for each statistic of each method, unrounded. */
export function ensembleCsv({ methods }: EnsembleConclusion): string {
  const lines = ensembleMethods.flatMap((method) => {
    const { n, unscored, intervalsOf } = methods[method];
    return Object.entries(intervalsOf).map(([statistic, { value, low, high }]) =>
      csvLine([method, statistic, n, unscored, value, low, high]),
    );
  });
  const header = ["method", "statistic", "n", "unscored", "value", "low", "high"];
  return [csvLine(header), ...lines].join("");
}
