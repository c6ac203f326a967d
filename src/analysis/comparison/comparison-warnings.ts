import { wilcoxonRankSum } from "../../stats/wilcoxon.js";
import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { ComparedPair } from "./compared-pair.js";
import type { ComparisonColumns } from "./comparison-samples.js";

const mostShown = 3;

interface CountedModel {
  readonly model: string;
  readonly n: number;
  readonly unscored: number;
}

/** Caveats of a comparison, a sentence each. */
export function comparisonWarnings(
  columns: ComparisonColumns,
  {
    models,
    pairs,
    intervals,
  }: {
    readonly models: readonly CountedModel[];
    readonly pairs: readonly ComparedPair[];
    readonly intervals: IntervalMethod;
  },
): string[] {
  return [
    ...models.flatMap(unscored),
    ...leftOut(pairs),
    ...labelsWithoutScore(columns),
    ...drawnWithoutLabel(columns),
    ...(columns.areProbabilities
      ? ["labels are probabilities of yes: intervals leave out that these are estimates"]
      : []),
    ...labelsFirst(columns),
    ...fewClusters(intervals),
  ];
}

function unscored({ model, n, unscored: count }: CountedModel): string[] {
  return count === 0
    ? []
    : [`${model}: ${count} of ${n + count} rows ${are(count)} unscored and excluded`];
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

function labelsWithoutScore({ score, human }: ComparisonColumns): string[] {
  let count = 0;
  for (let row = 0; row < score.length; row++) {
    if (Number.isNaN(score[row]) && isRated(human, row)) count += 1;
  }
  return count === 0
    ? []
    : [`${count} ${count === 1 ? "label is" : "labels are"} on unscored rows and not used`];
}

/** What was drawn and not answered makes the answered no random sample, if answering has to do with the answer. */
function drawnWithoutLabel({ draws, human }: ComparisonColumns): string[] {
  if (draws === undefined || human === undefined) return [];
  const drawn = draws.weight.filter((weight) => !Number.isNaN(weight)).length;
  const count = draws.weight.filter(
    (weight, row) => !(Number.isNaN(weight) || isRated(human, row)),
  ).length;
  return count === 0
    ? []
    : [
        `${count} of ${drawn} rows that were drawn ${are(count)} without a label: the others stand in for them`,
      ];
}

/** Warns if only the first rows are labelled: they are no random sample, unless rows were shuffled. */
function labelsFirst({ prompt, human, draws }: ComparisonColumns): string[] {
  if (human === undefined || draws !== undefined) return [];
  const isLabelled = new Map<number, boolean>();
  for (const [row, code] of prompt.codes.entries()) {
    if (isLabelled.get(code) !== true) isLabelled.set(code, isRated(human, row));
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

const isRated = (human: Float64Array | undefined, row: number) =>
  human !== undefined && !Number.isNaN(human[row]);

const are = (count: number) => (count === 1 ? "is" : "are");

/** From fewer labelled prompts on no correction is made; see `predictionPoweredMean`. */
export const fewestLabels = 10;

/** At or below it labelled and other prompts are taken to differ: one false alarm in a thousand. */
const level = 0.001;

/** One thing that a metric says of prompts, labelled ones and others. */
export interface View {
  /** Its name in a sentence: "the scores of a". */
  readonly name: string;
  readonly labelled: readonly number[];
  readonly others: readonly number[];
}

/**
 * Why labels can't stand for all prompts, or undefined where nothing speaks against it: there are too
 * few, or by the metric the labelled prompts differ from the others in height or in spread (rank-sum
 * tests of the values and of their distances from the median of all, each at 0.001), as they do where
 * somebody labelled the best, the worst or the undecided ones. What the metric does not see, this
 * does not see.
 */
export function whyNotRandom(prompts: number, views: readonly View[]): string | undefined {
  if (prompts < fewestLabels) {
    return `${prompts} labelled ${prompts === 1 ? "prompt" : "prompts"}; ${fewestLabels} or more are needed`;
  }
  for (const { name, labelled, others } of views) {
    if (wilcoxonRankSum(labelled, others) <= level) {
      const higher = middleOf(labelled) >= middleOf(others) ? "higher" : "lower";
      return `not a random sample: ${name} are ${higher} where there are labels than elsewhere`;
    }
    const middle = middleOf([...labelled, ...others]);
    const away = (values: readonly number[]) => values.map((value) => Math.abs(value - middle));
    if (wilcoxonRankSum(away(labelled), away(others)) <= level) {
      const extreme = middleOf(away(labelled)) >= middleOf(away(others)) ? "extreme" : "ordinary";
      return `not a random sample: ${name} are more ${extreme} where there are labels than elsewhere`;
    }
  }
  return undefined;
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
}
