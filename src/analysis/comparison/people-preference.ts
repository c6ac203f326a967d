import { groupBy } from "../../core/arrays.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { meanOf } from "./comparison-samples.js";

/** One answer of a person to the two models' images of one prompt. */
export interface PeoplesAnswer {
  readonly prompt: string;
  /** 1 where the first model is preferred, 0 where the second is, 0.5 for a tie. */
  readonly win: number;
  /** The first model's value minus the second's; of a choice 1, 0 or -1. */
  readonly difference: number;
}

/** Which of two models people prefer. */
export interface PeoplesPreference {
  readonly n: number;
  readonly prompts: number;
  /** The share of answers that prefer the first model, ties half. */
  readonly winRate: Estimate;
  /** The mean difference of the first model's value and the second's. */
  readonly difference: Estimate;
  readonly intervals: IntervalMethod;
}

/**
 * Which of two models people prefer, over their answers alone; intervals draw prompts as a whole, since answers about
 * one prompt are alike.
 *
 * @example
 * peoplesPreference([{ prompt: "a cat", win: 1, difference: 1 }]).winRate.value // 1
 */
export function peoplesPreference(
  answers: readonly PeoplesAnswer[],
  options: IntervalOptions = {},
): PeoplesPreference {
  const codes = new Map<string, number>();
  // By name, so that the order of rows changes no interval.
  for (const name of [...new Set(answers.map(({ prompt }) => prompt))].sort()) {
    codes.set(name, codes.size);
  }
  const intervals = intervalMethod(options, { clusters: codes.size, clusteredBy: "prompt" });
  const table = clusterSums({
    cluster: Int32Array.from(answers, ({ prompt }) => codes.get(prompt) ?? 0),
    group: new Int32Array(answers.length),
    columns: [
      Float64Array.from(answers, () => 1),
      Float64Array.from(answers, ({ win }) => win),
      Float64Array.from(answers, ({ difference }) => difference),
    ],
    clusters: codes.size,
    groups: 1,
  });
  const term = (numerator: number) => ({
    weight: 1,
    groups: [0],
    numerator,
    denominator: 0,
    whenEmpty: nobody,
  });
  const [wins = undefinedEstimate(nobody), difference = undefinedEstimate(nobody)] = estimate(
    table,
    [{ terms: [term(1)], within: [0, 1] }, { terms: [term(2)] }],
    intervals,
  );
  return {
    n: answers.length,
    prompts: codes.size,
    winRate: withOneSidedBound(wins, [term(1)], table),
    difference,
    intervals,
  };
}

/**
 * The share of the answers about each prompt that prefer the first model, ties half.
 *
 * @example shareByPrompt([{ prompt: "a cat", win: 1, difference: 1 }]).get("a cat") // 1
 */
export function shareByPrompt(answers: readonly PeoplesAnswer[]): ReadonlyMap<string, number> {
  const byPrompt = groupBy(answers, ({ prompt }) => prompt);
  return new Map([...byPrompt].map(([prompt, its]) => [prompt, meanOf(its.map(({ win }) => win))]));
}

const nobody = "nobody answered";
