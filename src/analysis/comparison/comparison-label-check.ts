import { wilcoxonRankSum } from "../../stats/wilcoxon.js";

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
