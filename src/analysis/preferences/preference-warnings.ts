import type { PairedCount } from "../../stats/bradley-terry.js";
import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { PreferenceRow } from "./preference-cells.js";

/** Caveats of preferences, a sentence each. */
export function preferenceWarnings(
  rows: readonly PreferenceRow[],
  {
    names,
    pairs,
    method,
  }: {
    readonly names: readonly string[];
    readonly pairs: readonly PairedCount[];
    readonly method: IntervalMethod;
  },
): string[] {
  const unscored = rows.filter(({ preferred }) => preferred === null).length;
  const people = new Set(rows.flatMap(({ annotator }) => annotator ?? []));
  const unnamed = rows.filter(({ annotator }) => annotator === undefined).length;
  const possible = (names.length * (names.length - 1)) / 2;
  return [
    ...(unscored === 0
      ? []
      : [
          `${unscored} of ${rows.length} rows ${unscored === 1 ? "is" : "are"} unscored and excluded`,
        ]),
    ...(pairs.length === possible
      ? []
      : [`${possible - pairs.length} of ${possible} pairs of models were never compared`]),
    ...(people.size === 1
      ? ["all preferences are of one annotator: intervals say nothing of other people"]
      : []),
    ...(people.size > 1 && unnamed > 0
      ? [`${unnamed} of ${rows.length} rows name no annotator; each counts as one of its own`]
      : []),
    ...(isShared(rows, people.size) &&
    method.clusteredBy === "annotator" &&
    method.crossedWith === undefined
      ? [
          "annotators share prompts: intervals over annotators alone are too narrow where prompts differ; " +
            "--cluster both allows for prompts as well",
        ]
      : []),
    ...fewClusters(method),
    ...(method.crossedWith === undefined ? [] : fewClusters(method.crossedWith)),
  ];
}

/** Whether two annotators or more answered about most prompts. */
function isShared(rows: readonly PreferenceRow[], people: number): boolean {
  if (people < 2) return false;
  const by = new Map<string, Set<string>>();
  for (const { prompt, annotator } of rows) {
    if (prompt === undefined || annotator === undefined) continue;
    by.set(prompt, (by.get(prompt) ?? new Set()).add(annotator));
  }
  const shared = [...by.values()].filter(({ size }) => size > 1).length;
  return 2 * shared > by.size;
}
