import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import {
  type ColumnarTable,
  type CorrelationColumns,
  placesWith,
  withNumbers,
} from "./correlation-row.js";

/** Caveats of a correlation table, a sentence each. */
export function correlationWarnings(
  { human, metrics, columns }: ColumnarTable,
  method: IntervalMethod,
): string[] {
  const rated = withNumbers(columns, [columns.human]);
  const scoredBy = rated.scores.map((scores) => placesWith(rated.rows.length, [scores]).length);
  return [
    ...unrated(columns.rows.length, rated.rows.length, human),
    ...metrics.flatMap((metric, at) => unscored(rated, metric, scoredBy[at] ?? 0)),
    ...differentRows(rated, scoredBy),
    ...withoutPrompt(rated, method),
    ...fewClusters(method),
  ];
}

function unrated(rows: number, rated: number, human: string): string[] {
  const count = rows - rated;
  return count === 0
    ? []
    : [
        `${count} of ${rows} rows ${count === 1 ? "has" : "have"} no ${human} and ${count === 1 ? "is" : "are"} in nothing`,
      ];
}

function unscored({ rows }: CorrelationColumns, metric: string, scored: number): string[] {
  const count = rows.length - scored;
  return count === 0
    ? []
    : [
        `${metric}: ${count} of ${rows.length} rows ${count === 1 ? "is" : "are"} unscored and excluded`,
      ];
}

function differentRows(
  { rows, scores }: CorrelationColumns,
  scoredBy: readonly number[],
): string[] {
  const shared = placesWith(rows.length, scores).length;
  return scoredBy.every((count) => count === shared)
    ? []
    : [
        "the metrics were not all scored on the same rows, so their numbers are about different " +
          `images: ${shared} of ${rows.length} rows have scores of every metric`,
      ];
}

function withoutPrompt(
  { names, rows }: CorrelationColumns,
  { clusteredBy }: IntervalMethod,
): string[] {
  const alone = rows.length - names.prompted(rows);
  return clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${rows.length} rows name no prompt; intervals treat each as its own prompt`];
}
