import { square } from "../stats/elementary/powers.js";
import { normalTails } from "../stats/normal.js";
import { type AskedSoFar, probabilityBounds, probabilitySoFar, verdictOf } from "./fewer-calls.js";

/** How prompts' answers hang together: their means and covariances on pairs that were asked in full. */
export interface AnswerModel {
  readonly prompts: number;
  readonly means: Float64Array;
  /** prompts x prompts, flat. */
  readonly covariances: Float64Array;
}

/** Forecast of what the full ensemble will say. */
export interface Forecast {
  /** P(a is better), expected. */
  readonly probability: number;
  readonly deviation: number;
}

/** Two answers that agree on every pair seen must not be taken for one. */
const leastVariance = 1e-6;

/**
 * Learns how answers hang together. Covariances off the diagonal are drawn towards 0 by prompts /
 * (prompts + pairs): few pairs make any two prompts look alike. A missing answer counts as the mean
 * of the others on its pair.
 *
 * @param answers P(a is better) at [pair * prompts + a], NaN for no answer.
 */
export function answerModel(answers: Float64Array, prompts: number): AnswerModel {
  const pairs: Float64Array[] = [];
  for (let start = 0; start < answers.length; start += prompts) {
    const row = answers.slice(start, start + prompts);
    const said = row.filter((answer) => !Number.isNaN(answer));
    if (said.length === 0) continue;
    const mean = said.reduce((sum, answer) => sum + answer, 0) / said.length;
    pairs.push(row.map((answer) => (Number.isNaN(answer) ? mean : answer)));
  }
  const means = Float64Array.from({ length: prompts }, (_, at) =>
    pairs.length === 0 ? 0.5 : pairs.reduce((sum, row) => sum + (row[at] ?? 0), 0) / pairs.length,
  );
  const covariances = new Float64Array(prompts * prompts);
  const keep = pairs.length / (prompts + pairs.length);
  for (let one = 0; one < prompts; one++) {
    for (let other = 0; other <= one; other++) {
      let sum = 0;
      for (const row of pairs) {
        sum += ((row[one] ?? 0) - (means[one] ?? 0)) * ((row[other] ?? 0) - (means[other] ?? 0));
      }
      // Without pairs nothing is known: as spread as an even coin.
      const covariance = pairs.length < 2 ? (one === other ? 0.25 : 0) : sum / (pairs.length - 1);
      const kept = one === other ? Math.max(covariance, leastVariance) : keep * covariance;
      covariances[one * prompts + other] = kept;
      covariances[other * prompts + one] = kept;
    }
  }
  return { prompts, means, covariances };
}

/** The answers to come, given those that came. */
interface Conditioned {
  readonly means: Float64Array;
  readonly covariances: Float64Array;
}

/** Normal answers given some of them, one at a time: K = C_a / C_aa, m += K (p - m_a), C -= K C_a'. */
function conditioned({ prompts, means, covariances }: AnswerModel, state: AskedSoFar): Conditioned {
  const expected = Float64Array.from(means);
  const spread = Float64Array.from(covariances);
  const column = new Float64Array(prompts);
  for (let seen = 0; seen < prompts; seen++) {
    const answer = state.answers[seen] ?? Number.NaN;
    if (state.asked[seen] !== 1 || Number.isNaN(answer)) continue;
    const variance = spread[seen * prompts + seen] ?? 0;
    if (variance <= leastVariance / 10) continue;
    const surprise = answer - (expected[seen] ?? 0);
    for (let at = 0; at < prompts; at++) column[at] = spread[at * prompts + seen] ?? 0;
    for (let one = 0; one < prompts; one++) {
      const gain = (column[one] ?? 0) / variance;
      if (gain === 0) continue;
      expected[one] = (expected[one] ?? 0) + gain * surprise;
      for (let other = 0; other < prompts; other++) {
        const at = one * prompts + other;
        spread[at] = (spread[at] ?? 0) - gain * (column[other] ?? 0);
      }
    }
  }
  return { means: expected, covariances: spread };
}

/** Forecasts what the ensemble will say, and which prompt would tell most about it. */
function lookAhead(model: AnswerModel, state: AskedSoFar): { forecast: Forecast; next: number } {
  const { prompts } = model;
  const { weights, answers, asked } = state;
  const { means, covariances } = conditioned(model, state);
  let all = 0;
  let sum = 0;
  const left: number[] = [];
  for (let prompt = 0; prompt < prompts; prompt++) {
    const weight = weights[prompt] ?? 0;
    const answer = answers[prompt] ?? Number.NaN;
    if (asked[prompt] === 1 && Number.isNaN(answer)) continue;
    all += weight;
    if (asked[prompt] === 1) sum += weight * answer;
    else if (weight > 0) {
      left.push(prompt);
      sum += weight * Math.min(1, Math.max(0, means[prompt] ?? 0.5));
    }
  }
  let variance = 0;
  let next = -1;
  let most = -1;
  for (const one of left) {
    let withRest = 0;
    for (const other of left) {
      withRest += (weights[other] ?? 0) * (covariances[one * prompts + other] ?? 0);
    }
    variance += (weights[one] ?? 0) * withRest;
    const told = square(withRest) / Math.max(covariances[one * prompts + one] ?? 0, leastVariance);
    if (told > most) {
      most = told;
      next = one;
    }
  }
  if (all === 0) return { forecast: { probability: Number.NaN, deviation: 0 }, next };
  const { low, high } = probabilityBounds(state);
  const probability = Math.min(high, Math.max(low, sum / all));
  return { forecast: { probability, deviation: Math.sqrt(Math.max(0, variance)) / all }, next };
}

/** The full ensemble's answer as it is foreseen; NaN where no prompt with weight is left or answered. */
export const forecastOf = (model: AnswerModel, state: AskedSoFar): Forecast =>
  lookAhead(model, state).forecast;

/**
 * How likely it is that all prompts together lead to another verdict than the foreseen answer does,
 * were the answers normal: what lies beyond the borders of its region.
 */
export function chanceOfChange({ probability, deviation }: Forecast, threshold: number): number {
  if (deviation === 0) return 0;
  const verdict = verdictOf(probability, threshold);
  const beyond = (border: number) => normalTails((border - probability) / deviation) / 2;
  const upper = threshold <= 0.5 ? 0.5 : threshold;
  if (verdict === "a") return beyond(upper);
  if (verdict === "b") return beyond(1 - upper);
  return beyond(upper) + beyond(1 - upper);
}

/**
 * The prompt to ask next when an unlikely change of verdict is risked: the one that tells most about
 * the rest of the answer. However sure the forecast is, asking does not stop before a prompt with weight
 * has answered: what is known of other items decides none.
 *
 * @param risk how likely a change may be, at most.
 * @returns `undefined` where asking may stop, or nothing is left to ask.
 */
export function nextForForecast(
  model: AnswerModel,
  state: AskedSoFar,
  { threshold, risk }: { readonly threshold: number; readonly risk: number },
): number | undefined {
  const { forecast, next } = lookAhead(model, state);
  if (next < 0) return undefined;
  const isHeard = !Number.isNaN(probabilitySoFar(state));
  return isHeard && chanceOfChange(forecast, threshold) <= risk ? undefined : next;
}
