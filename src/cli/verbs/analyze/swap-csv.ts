import type { SwapTestConclusion } from "../../../analysis/pairs/swap-test.js";
import { csvLine } from "../../../files/csv-text.js";

const estimates = ["failureRate", "tieRate", "failuresAndHalfTies", "difference"] as const;

/** A row for each metric; shares from 0 to 1, unrounded. */
export function swapCsv({ metrics }: SwapTestConclusion): string {
  const header = [
    ...["metric", "n", "unscored", "failures", "ties"],
    ...estimates.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...["boundsLow", "boundsHigh"],
  ];
  const lines = Object.entries(metrics).map(([metric, summary]) =>
    csvLine([
      ...[metric, summary.n, summary.unscored, summary.failures, summary.ties],
      ...estimates.flatMap((name) => {
        const { value, low, high } = summary[name];
        return [value, low, high];
      }),
      ...[summary.bounds.low, summary.bounds.high],
    ]),
  );
  return [csvLine(header), ...lines].join("");
}
