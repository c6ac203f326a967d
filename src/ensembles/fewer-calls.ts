/** Knowledge of one pair while its prompts are asked one after another. */
export interface AskedSoFar {
  /** v_a = sum_z p(z | x) w_za, the weight of each prompt in the answer on this pair; they add up to 1. */
  readonly weights: Float64Array;
  /**
   * P(label is 1) by prompt: P(a is better), P(yes); of ratings as many numbers for each prompt as there
   * are ratings. NaN where it was asked and gave no answer, or was not asked.
   */
  readonly answers: Float64Array;
  /** 1 for a prompt that was asked. */
  readonly asked: Uint8Array;
}

/** Bounds of the ensemble's P(a is better), whatever the prompts that were not asked say. */
export interface ProbabilityBounds {
  readonly low: number;
  readonly high: number;
}

/** Decision on a pair: the judge says a or b, or a person looks. */
export type Verdict = "a" | "b" | "review";

/**
 * The least and the most that the ensemble can say once all prompts are asked: those that are left
 * answer 0, or 1. One that will not answer leaves it in between. Prompts that were asked in vain have
 * lost their weight to the others.
 *
 * @returns from 0 to 1 while nobody has answered.
 * @example
 * probabilityBounds({ weights: Float64Array.of(0.6, 0.4), answers: Float64Array.of(0.9, NaN), asked: Uint8Array.of(1, 0) })
 *   // { low: 0.54, high: 0.94 }
 */
export function probabilityBounds({ weights, answers, asked }: AskedSoFar): ProbabilityBounds {
  let sum = 0;
  let answered = 0;
  let left = 0;
  for (let prompt = 0; prompt < weights.length; prompt++) {
    const weight = weights[prompt] ?? 0;
    const answer = answers[prompt] ?? Number.NaN;
    if (asked[prompt] !== 1) left += weight;
    else if (!Number.isNaN(answer)) {
      sum += weight * answer;
      answered += weight;
    }
  }
  const all = answered + left;
  if (all === 0) return { low: 0, high: 1 };
  return { low: Math.min(1, sum / all), high: Math.min(1, (sum + left) / all) };
}

/**
 * Decides a pair by its answer: `a` or `b` where it is sure enough, else a person looks. An even answer
 * counts for a, as P >= 0.5 does everywhere.
 *
 * @param threshold on max(P, 1 - P); from 0.5, which accepts everything.
 */
export function verdictOf(probability: number, threshold: number): Verdict {
  if (probability >= 0.5) return probability >= threshold ? "a" : "review";
  return 1 - probability >= threshold ? "b" : "review";
}

/**
 * The verdict that no further answer can change; `undefined` while there is none. Verdicts follow each
 * other from b over review to a as P grows, so equal ones at both ends are equal throughout. Within
 * 1e-12 of a border nothing is settled before all are asked: sums are rounded.
 */
export function settledVerdict(
  { low, high }: ProbabilityBounds,
  threshold: number,
): Verdict | undefined {
  const slack = low === high ? 0 : 1e-12;
  const least = verdictOf(Math.max(0, low - slack), threshold);
  return least === verdictOf(Math.min(1, high + slack), threshold) ? least : undefined;
}

/** Prompts in the order in which they are asked: the one that can change most first. */
const askingOrder = (weights: Float64Array): number[] =>
  Array.from(weights.keys()).sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));

/**
 * The prompts to ask next: by falling weight, as many as are needed before the verdict can be settled
 * at all, even if all of them agree. Prompts without weight are never asked.
 *
 * @returns none where the verdict is settled.
 */
export function nextPrompts(state: AskedSoFar, threshold: number): number[] {
  if (settledVerdict(probabilityBounds(state), threshold) !== undefined) return [];
  const asked = Uint8Array.from(state.asked);
  const next: number[] = [];
  for (const prompt of askingOrder(state.weights)) {
    if (asked[prompt] === 1 || (state.weights[prompt] ?? 0) === 0) continue;
    next.push(prompt);
    asked[prompt] = 1;
    if (mightSettle({ ...state, asked }, next, threshold)) break;
  }
  return next;
}

/** Whether the verdict could be settled by some answers of those asked next. */
function mightSettle(state: AskedSoFar, next: readonly number[], threshold: number): boolean {
  const settled = (answer: number) => {
    const answers = Float64Array.from(state.answers);
    for (const prompt of next) answers[prompt] = answer;
    return settledVerdict(probabilityBounds({ ...state, answers }), threshold) !== undefined;
  };
  if (settled(0) || settled(1)) return true;
  // For a person's look the bounds have to lie around the middle as well as they can.
  const answers = Float64Array.from(state.answers);
  for (const prompt of next) answers[prompt] = 0;
  const lowest = probabilityBounds({ ...state, answers });
  for (const prompt of next) answers[prompt] = 1;
  const span = probabilityBounds({ ...state, answers }).low - lowest.low;
  return span > 0 && settled(Math.min(1, Math.max(0, (1 - lowest.low - lowest.high) / 2 / span)));
}

/** The mean of the answers so far, by their weights; NaN while nobody has answered. */
export function probabilitySoFar({ weights, answers, asked }: AskedSoFar): number {
  let sum = 0;
  let answered = 0;
  for (let prompt = 0; prompt < weights.length; prompt++) {
    const answer = answers[prompt] ?? Number.NaN;
    if (asked[prompt] !== 1 || Number.isNaN(answer)) continue;
    sum += (weights[prompt] ?? 0) * answer;
    answered += weights[prompt] ?? 0;
  }
  return answered > 0 ? Math.min(1, sum / answered) : Number.NaN;
}
