import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { ComparedPair } from "./compared-pair.js";
import { fewestLabels } from "./comparison-label-check.js";
import type { ComparisonRow } from "./comparison-samples.js";

const mostShown = 3;

/** Caveats of a comparison, a sentence each. */
export function comparisonWarnings(
  rows: readonly ComparisonRow[],
  {
    models,
    pairs,
    intervals,
  }: {
    readonly models: readonly string[];
    readonly pairs: readonly ComparedPair[];
    readonly intervals: IntervalMethod;
  },
): string[] {
  return [
    ...models.flatMap((model) => unscored(rows, model)),
    ...leftOut(pairs),
    ...labelsWithoutScore(rows),
    ...labelsFirst(rows),
    ...fewClusters(intervals),
  ];
}

function unscored(rows: readonly ComparisonRow[], model: string): string[] {
  const its = rows.filter((row) => row.model === model);
  const count = its.filter(({ score }) => score === null).length;
  return count === 0
    ? []
    : [`${model}: ${count} of ${its.length} rows ${are(count)} unscored and excluded`];
}

function leftOut(pairs: readonly ComparedPair[]): string[] {
  const found = pairs.filter((pair) => pair.leftOut > 0);
  const shown = found
    .slice(0, mostShown)
    .map(({ a, b, n, leftOut: count }) => `${count} of ${n + count} for ${a} and ${b}`);
  const more = found.length - shown.length;
  return found.length === 0
    ? []
    : [
        `a prompt that only one of two models has a score for is excluded from their comparison: ` +
          `${shown.join(", ")}${more > 0 ? `, and some in ${more} more` : ""}`,
      ];
}

function labelsWithoutScore(rows: readonly ComparisonRow[]): string[] {
  const count = rows.filter(({ score, human = null }) => score === null && human !== null).length;
  return count === 0
    ? []
    : [`${count} ${count === 1 ? "label is" : "labels are"} on unscored rows and not used`];
}

/** Warns if only the first rows are labelled: they are no random sample, unless rows were shuffled. */
function labelsFirst(rows: readonly ComparisonRow[]): string[] {
  const isLabelled = new Map<string, boolean>();
  for (const { prompt, human = null } of rows) {
    isLabelled.set(prompt, isLabelled.get(prompt) === true || human !== null);
  }
  const inTurn = [...isLabelled.values()];
  const count = inTurn.filter(Boolean).length;
  const areFirst = inTurn.slice(0, count).every(Boolean);
  return count < fewestLabels || count === inTurn.length || !areFirst
    ? []
    : [
        `the labelled prompts are the first ${count} of the table; unless its order is random, ` +
          "they are no random sample, and the estimate of human ratings is not valid",
      ];
}

const are = (count: number) => (count === 1 ? "is" : "are");
