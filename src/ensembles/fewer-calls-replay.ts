import {
  type AskedSoFar,
  nextPrompts,
  probabilityBounds,
  probabilitySoFar,
  type Verdict,
  verdictOf,
} from "./fewer-calls.js";
import {
  type AnswerModel,
  forecastOf,
  foreseenVerdict,
  nextForForecast,
} from "./fewer-calls-forecast.js";

/** Whose verdict may differ from the full ensemble's, and how seldom at most as foreseen. */
export interface Approximation {
  readonly model: AnswerModel;
  readonly risk: number;
}

/** How a pair of which all answers are known would have been judged with fewer of them. */
export interface ReplayedPair {
  readonly verdict: Verdict;
  /** P(a is better) as far as it was known: foreseen, or the mean so far; NaN where nobody answered. */
  readonly probability: number;
  readonly calls: number;
  /** What all prompts together lead to; `review` where nobody answered. */
  readonly fullVerdict: Verdict;
  readonly fullProbability: number;
}

/**
 * Judges pairs again as if their answers came one by one, and stops where asking would stop.
 *
 * @param options.weights of each pair's prompts, at [pair * prompts + a].
 * @param options.answers P(a is better) at the same places, NaN for no answer.
 * @param options.approximate default: only what can't change the verdict is left out.
 */
export function replayFewerCalls({
  weights,
  answers,
  prompts,
  threshold,
  approximate,
}: {
  readonly weights: Float64Array;
  readonly answers: Float64Array;
  readonly prompts: number;
  readonly threshold: number;
  readonly approximate?: Approximation | undefined;
}): ReplayedPair[] {
  const pairs: ReplayedPair[] = [];
  for (let start = 0; start < answers.length; start += prompts) {
    const known = answers.subarray(start, start + prompts);
    const state = {
      weights: weights.subarray(start, start + prompts),
      answers: new Float64Array(prompts).fill(Number.NaN),
      asked: new Uint8Array(prompts),
    };
    let next = toAsk(state, threshold, approximate);
    let calls = 0;
    while (next.length > 0) {
      for (const prompt of next) {
        state.asked[prompt] = 1;
        state.answers[prompt] = known[prompt] ?? Number.NaN;
        calls++;
      }
      next = toAsk(state, threshold, approximate);
    }
    const full = { ...state, answers: known, asked: new Uint8Array(prompts).fill(1) };
    const fullProbability = probabilitySoFar(full);
    pairs.push({
      ...concluded(state, threshold, approximate),
      calls,
      fullProbability,
      fullVerdict: Number.isNaN(fullProbability) ? "review" : verdictOf(fullProbability, threshold),
    });
  }
  return pairs;
}

/** The prompts to ask next, in either way; none where asking stops. */
export function toAsk(
  state: AskedSoFar,
  threshold: number,
  approximate: Approximation | undefined,
): number[] {
  const certain = nextPrompts(state, threshold);
  if (certain.length === 0 || approximate === undefined) return certain;
  const next = nextForForecast(approximate.model, state, { threshold, risk: approximate.risk });
  return next === undefined ? [] : [next];
}

/** What the answers so far lead to, once asking has stopped. */
export function concluded(
  state: AskedSoFar,
  threshold: number,
  approximate: Approximation | undefined,
): { readonly verdict: Verdict; readonly probability: number } {
  const soFar = probabilitySoFar(state);
  if (Number.isNaN(soFar) && approximate === undefined)
    return { verdict: "review", probability: soFar };
  if (approximate !== undefined) {
    const forecast = forecastOf(approximate.model, state);
    return { verdict: foreseenVerdict(forecast, threshold), probability: forecast.probability };
  }
  // Where not all were asked the mean so far may lie beyond a border that the verdict does not cross.
  const { low, high } = probabilityBounds(state);
  const probability = Math.min(high, Math.max(low, soFar));
  return { verdict: verdictOf(probability, threshold), probability };
}
