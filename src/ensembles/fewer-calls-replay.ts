import {
  type AskedSoFar,
  nextPrompts,
  probabilityBounds,
  probabilitySoFar,
  verdictOf,
} from "./fewer-calls.js";
import { type AnswerModel, forecastOf, nextForForecast } from "./fewer-calls-forecast.js";

/** Whose verdict may differ from the full ensemble's, and how seldom at most as foreseen. */
export interface Approximation {
  readonly model: AnswerModel;
  readonly risk: number;
}

/** What the answers to an item lead to. */
export interface Decided {
  /** What the judge says: 1 (a, yes) or 0 (b, no), or a rating; null where a person looks. */
  readonly verdict: number | null;
  /** The ensemble's answer as far as it is known: P(label is 1), or P of each rating; NaN where nobody answered. */
  readonly shares: Float64Array;
}

/** When asking stops, and what it then leads to. */
export interface AskingRule {
  /** The prompts to ask next; none where asking stops. */
  next(state: AskedSoFar): number[];
  /** What the answers so far lead to, once asking has stopped. */
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

/** How an item of which all answers are known would have been judged with fewer of them. */
export interface ReplayedItem {
  readonly stopped: Decided;
  readonly calls: number;
  /** What all prompts together lead to. */
  readonly full: Decided;
}

/**
 * Judges items again as if their answers came one by one, and stops where asking would stop.
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
  const width = numbers / prompts;
  return Array.from({ length: items }, (_, item) => {
    const known = answers.subarray(item * numbers, (item + 1) * numbers);
    const state = {
      weights: weights.subarray(item * prompts, (item + 1) * prompts),
      answers: new Float64Array(numbers).fill(Number.NaN),
      asked: new Uint8Array(prompts),
    };
    let next = rule.next(state);
    let calls = 0;
    while (next.length > 0) {
      for (const prompt of next) {
        state.asked[prompt] = 1;
        const said = known.subarray(prompt * width, (prompt + 1) * width);
        state.answers.set(said, prompt * width);
        calls++;
      }
      next = rule.next(state);
    }
    const all = { ...state, answers: known, asked: new Uint8Array(prompts).fill(1) };
    return { stopped: rule.conclude(state), calls, full: full.conclude(all) };
  });
}
