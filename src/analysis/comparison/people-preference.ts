import { groupBy } from "../../core/arrays.js";
import { textColumn } from "../../core/text-column.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import { roundWeights } from "../../stats/planned-mean.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import type { RowDraws } from "../inference/row-draws.js";
import { meanOf } from "./comparison-samples.js";

/** One answer of a person to the two models' images of one prompt. */
export interface PeoplesAnswer {
  readonly prompt: string;
  /** 1 where the first model is preferred, 0 where the second is, 0.5 for a tie. */
  readonly win: number;
  /** The first model's value minus the second's; of a choice 1, 0 or -1. */
  readonly difference: number;
  /** How `label plan` drew its prompt; undefined where it did not. */
  readonly draw?: AnswerDraw | undefined;
}

/** How a prompt was drawn for people: `weight` is 1 / probability. */
export interface AnswerDraw {
  readonly weight: number;
  readonly stratum: string;
  readonly round: number;
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
 * one prompt are alike. Answers about drawn prompts are weighted by 1 / probability (Hájek estimates); beside them,
 * answers without a draw count as a uniform sample that was drawn first.
 *
 * @param options.of how many prompts there are to draw from; default: those that were answered.
 * @example
 * peoplesPreference([{ prompt: "a cat", win: 1, difference: 1 }]).winRate.value // 1
 */
export function peoplesPreference(
  answers: readonly PeoplesAnswer[],
  { of, ...options }: IntervalOptions & { readonly of?: number } = {},
): PeoplesPreference {
  const codes = new Map<string, number>();
  // By name, so that the order of rows changes no interval.
  for (const name of [...new Set(answers.map(({ prompt }) => prompt))].sort()) {
    codes.set(name, codes.size);
  }
  const intervals = intervalMethod(options, { clusters: codes.size, clusteredBy: "prompt" });
  const weights = answerWeights(answers, of ?? codes.size);
  const weighted = (read: (answer: PeoplesAnswer) => number) =>
    Float64Array.from(answers, (answer, at) => (weights[at] ?? 1) * read(answer));
  const table = clusterSums({
    cluster: Int32Array.from(answers, ({ prompt }) => codes.get(prompt) ?? 0),
    group: new Int32Array(answers.length),
    columns: [
      weighted(() => 1),
      weighted(({ win }) => win),
      weighted(({ difference }) => difference),
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

/** How many prompts each answer stands for, a prompt's answers sharing its weight; 1 where none was drawn. */
function answerWeights(answers: readonly PeoplesAnswer[], of: number): ArrayLike<number> {
  if (answers.every(({ draw }) => draw === undefined)) return answers.map(() => 1);
  const prompts = [...groupBy(answers, ({ prompt }) => prompt)];
  const draws = prompts.map(([, its]) => its.find(({ draw }) => draw !== undefined)?.draw);
  const alone = draws.filter((draw) => draw === undefined).length;
  const { total } = roundWeights({
    weight: draws.map((draw) => draw?.weight ?? of / alone),
    round: draws.map((draw) => draw?.round ?? 0),
    stratum: draws.map(() => 0),
  });
  const shares = new Map(
    prompts.map(([prompt, its], at) => [prompt, (total[at] ?? 1) / its.length]),
  );
  return answers.map(({ prompt }) => shares.get(prompt) ?? 1);
}

/**
 * How the prompts of rows were drawn for people, as estimates over all rows take it: without a weight where nobody was
 * asked; undefined where none was drawn.
 */
export function drawsByPrompt(
  prompts: readonly string[],
  answers: readonly PeoplesAnswer[],
): RowDraws | undefined {
  const draws = new Map(
    answers.flatMap(({ prompt, draw }) => (draw === undefined ? [] : [[prompt, draw] as const])),
  );
  if (draws.size === 0) return undefined;
  const its = prompts.map((prompt) => draws.get(prompt));
  return {
    weight: Float64Array.from(its, (draw) => draw?.weight ?? Number.NaN),
    stratum: textColumn(its.map((draw) => draw?.stratum ?? "")).codes,
    round: Float64Array.from(its, (draw) => draw?.round ?? 1),
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

/** The model that labels prefer significantly, if win rate and difference agree. */
interface PeoplesChoice {
  readonly preferred: "a" | "b" | null;
  readonly contradiction?: string;
}

/**
 * Combines two estimates from the same labels. Labels of two kinds, such as 0 and 1, ask one
 * question twice: their difference is the win rate less a half, doubled, so where one is significant
 * and the other not, or they point apart, neither is believed. Labels of more kinds ask two questions
 * (more often better; better on average), so only two significant answers that point apart are a
 * contradiction, and else the win rate decides.
 *
 * @param options.kinds how many different labels there are.
 */
export function peoplesChoice(
  { winRate, difference }: { readonly winRate: Estimate; readonly difference: Estimate },
  { kinds }: { readonly kinds: number },
): PeoplesChoice {
  const wins = { points: side(winRate, 0.5), claims: claim(winRate, 0.5) };
  const means = { points: side(difference, 0), claims: claim(difference, 0) };
  const chosen = wins.claims === 1 ? "a" : wins.claims === -1 ? "b" : null;
  const claims = Math.abs(wins.claims) + Math.abs(means.claims);
  if (kinds <= 2) {
    if (wins.points * means.points < 0) {
      return { preferred: null, contradiction: "they point to different models" };
    }
    return claims === 1
      ? { preferred: null, contradiction: "only one of them is significant" }
      : { preferred: chosen };
  }
  return wins.claims * means.claims < 0
    ? { preferred: null, contradiction: "they are significant for different models" }
    : { preferred: chosen };
}

/** To which side of `even` the estimate lies; what rounding makes of no difference lies to none. */
const side = ({ value }: Estimate, even: number) => {
  const off = (value ?? even) - even;
  return Math.abs(off) < 1e-9 ? 0 : Math.sign(off);
};

/** To which side of `even` its whole interval lies; 0 where it holds it, or there is none. */
const claim = ({ low, high }: Estimate, even: number) =>
  low !== null && low > even ? 1 : high !== null && high < even ? -1 : 0;
