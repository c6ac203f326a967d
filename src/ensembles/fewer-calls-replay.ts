import {
  type AskedSoFar,
  nextPrompts,
  probabilityBounds,
  probabilitySoFar,
  verdictOf,
} from "./fewer-calls.js";
import { type AnswerModel, forecastOf, nextForForecast } from "./fewer-calls-forecast.js";

/** A rule whose verdict may differ from the full ensemble's, and the share in which it may. */
export interface Approximation {
  readonly model: AnswerModel;
  readonly risk: number;
}

/** Outcome of the answers to an item. */
export interface Decided {
  /** The judge's verdict: 1 (a, yes) or 0 (b, no), or a rating; null where a person looks. */
  readonly verdict: number | null;
  /** The ensemble's answer as far as it is known: P(label is 1), or P of each rating; NaN where nobody answered. */
  readonly shares: Float64Array;
}

/** When asking stops, and what it then leads to. */
export interface AskingRule {
  /** The prompts to ask next; none where asking stops. */
  next(state: AskedSoFar): number[];
  /** The outcome of the answers so far, once asking has stopped. */
  conclude(state: AskedSoFar): Decided;
}

/**
 * Asks about a pair, or a question of yes or no, until the verdict can't change.
 *
 * @param options.approximate also stop where another verdict is unlikely.
 */
export function twoAnswersRule({
  threshold,
  approximate,
}: {
  /** On max(P, 1 - P). */
  readonly threshold: number;
  readonly approximate?: Approximation | undefined;
}): AskingRule {
  const labels = { a: 1, b: 0, review: null } as const;
  return {
    next(state) {
      const certain = nextPrompts(state, threshold);
      if (certain.length === 0 || approximate === undefined) return certain;
      const next = nextForForecast(approximate.model, state, { threshold, risk: approximate.risk });
      return next === undefined ? [] : [next];
    },
    conclude(state) {
      const soFar = probabilitySoFar(state);
      // Nobody answered: a forecast from other items alone is no answer.
      if (Number.isNaN(soFar)) return { verdict: null, shares: Float64Array.of(soFar) };
      if (approximate !== undefined) {
        const { probability } = forecastOf(approximate.model, state);
        return {
          verdict: labels[verdictOf(probability, threshold)],
          shares: Float64Array.of(probability),
        };
      }
      // Where not all were asked the mean so far may lie beyond a border that the verdict does not cross.
      const { low, high } = probabilityBounds(state);
      const probability = Math.min(high, Math.max(low, soFar));
      return {
        verdict: labels[verdictOf(probability, threshold)],
        shares: Float64Array.of(probability),
      };
    },
  };
}

/** The most rounds: of many prompts several are asked in a round. */
export const mostRounds = 20;

/**
 * The prompts of the next round: those that the rule asks for, and where there are more prompts than
 * rounds the heaviest of the others, until the round holds its part.
 *
 * @returns none where asking stops.
 */
function nextRound(rule: AskingRule, state: AskedSoFar): number[] {
  const { weights, asked } = state;
  const next = rule.next(state);
  const atLeast = Math.ceil(weights.length / mostRounds);
  if (next.length === 0 || next.length >= atLeast) return next;
  const others = Array.from(weights.keys())
    .filter((at) => asked[at] === 0 && (weights[at] ?? 0) > 0 && !next.includes(at))
    .sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
  return [...next, ...others.slice(0, atLeast - next.length)];
}

/** How an item stands that is asked about in rounds. */
export interface AskedInRounds {
  /** Questions and answers of the rounds so far. */
  readonly state: AskedSoFar;
  /** Prompts that the next round asks; none where asking stops. */
  readonly next: number[];
}

/**
 * Goes through the rounds as far as their answers are known. An answer that was not asked for in any of
 * them is left out: a rule that forecasts might say something else with it, and what a threshold does
 * is counted on labels that are asked about in just these rounds.
 *
 * @param known what was asked of the item, in whatever order.
 */
export function askedInRounds(rule: AskingRule, known: AskedSoFar): AskedInRounds {
  const prompts = known.weights.length;
  const width = known.answers.length / prompts;
  const state = {
    weights: known.weights,
    answers: new Float64Array(known.answers.length).fill(Number.NaN),
    asked: new Uint8Array(prompts),
  };
  for (;;) {
    const round = nextRound(rule, state);
    const next = round.filter((prompt) => known.asked[prompt] !== 1);
    if (round.length === 0 || next.length > 0) return { state, next };
    for (const prompt of round) {
      state.asked[prompt] = 1;
      state.answers.set(
        known.answers.subarray(prompt * width, (prompt + 1) * width),
        prompt * width,
      );
    }
  }
}

/** How an item of which all answers are known would have been judged with fewer of them. */
export interface ReplayedItem {
  readonly stopped: Decided;
  readonly calls: number;
  /** The outcome of all prompts together. */
  readonly full: Decided;
}

/**
 * Judges items again as if they were asked about round after round, and stops where asking would stop.
 *
 * @param options.weights of each item's prompts, at [item * prompts + a].
 * @param options.answers what each prompt said of it, as `AskedSoFar` has them, item by item.
 * @param options.full by which rule all answers are concluded from; default the same.
 */
export function replayFewerCalls({
  weights,
  answers,
  prompts,
  rule,
  full = rule,
}: {
  readonly weights: Float64Array;
  readonly answers: Float64Array;
  readonly prompts: number;
  readonly rule: AskingRule;
  readonly full?: AskingRule;
}): ReplayedItem[] {
  const items = weights.length / prompts;
  const numbers = answers.length / items;
  return Array.from({ length: items }, (_, item) => {
    const all = {
      weights: weights.subarray(item * prompts, (item + 1) * prompts),
      answers: answers.subarray(item * numbers, (item + 1) * numbers),
      asked: new Uint8Array(prompts).fill(1),
    };
    const { state } = askedInRounds(rule, all);
    const calls = state.asked.reduce((sum, each) => sum + each, 0);
    return { stopped: rule.conclude(state), calls, full: full.conclude(all) };
  });
}
