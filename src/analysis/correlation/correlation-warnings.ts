import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { CorrelationRow, CorrelationTable } from "./correlation-row.js";

/** Caveats of a correlation table, a sentence each. */
export function correlationWarnings(
  { human, metrics, rows }: CorrelationTable,
  method: IntervalMethod,
): string[] {
  const rated = rows.filter((row) => row.human !== null);
  return [
    ...unrated(rows, human),
    ...metrics.flatMap((metric, at) => unscored(rated, metric, at)),
    ...differentRows(rated, metrics),
    ...withoutPrompt(rated, method),
    ...fewClusters(method),
  ];
}

function unrated(rows: readonly CorrelationRow[], human: string): string[] {
  const count = rows.filter((row) => row.human === null).length;
  return count === 0
    ? []
    : [
        `${count} of ${rows.length} rows ${count === 1 ? "has" : "have"} no ${human} and ${count === 1 ? "is" : "are"} in nothing`,
      ];
}

function unscored(rated: readonly CorrelationRow[], metric: string, at: number): string[] {
  const count = rated.filter(({ scores }) => typeof scores[at] !== "number").length;
  return count === 0
    ? []
    : [
        `${metric}: ${count} of ${rated.length} rows ${count === 1 ? "is" : "are"} unscored and excluded`,
      ];
}

function differentRows(rated: readonly CorrelationRow[], metrics: readonly string[]): string[] {
  const scoredBy = metrics.map(
    (_, at) => rated.filter(({ scores }) => typeof scores[at] === "number").length,
  );
  const shared = rated.filter(({ scores }) => scores.every((one) => one !== null)).length;
  return scoredBy.every((count) => count === shared)
    ? []
    : [
        "the metrics were not all scored on the same rows, so their numbers are about different " +
          `images: ${shared} of ${rated.length} rows have scores of every metric`,
      ];
}

function withoutPrompt(
  rated: readonly CorrelationRow[],
  { clusteredBy }: IntervalMethod,
): string[] {
  const alone = rated.filter(({ prompt }) => prompt === undefined).length;
  return clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${rated.length} rows name no prompt; intervals treat each as its own prompt`];
}
