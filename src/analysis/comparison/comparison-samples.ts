import { outcomeOf } from "../pairs/pair-sums.js";
import type { TieOptions } from "../pairs/score-ties.js";

/** One image of one model: what a metric and, of some, people said of it. */
export interface ComparisonRow {
  readonly model: string;
  readonly prompt: string;
  /** null = unscored. */
  readonly score: number | null;
  /** More is better. null or missing = nobody was asked. */
  readonly human?: number | null | undefined;
}

/** The images of one model for one prompt that have a score. */
export interface Samples {
  readonly scores: readonly number[];
  /** In the same order; null where nobody was asked. */
  readonly human: readonly (number | null)[];
}

/** The samples of each model, by prompt. */
export type SamplesOf = ReadonlyMap<string, ReadonlyMap<string, Samples>>;

/** Sorts rows by model and prompt; rows without a score are in nothing. */
export function samplesOf(rows: readonly ComparisonRow[]): SamplesOf {
  const found = new Map<string, Map<string, { scores: number[]; human: (number | null)[] }>>();
  for (const { model, prompt, score, human = null } of rows) {
    const prompts =
      found.get(model) ?? new Map<string, { scores: number[]; human: (number | null)[] }>();
    found.set(model, prompts);
    if (score === null) continue;
    const samples = prompts.get(prompt) ?? { scores: [], human: [] };
    prompts.set(prompt, samples);
    samples.scores.push(score);
    samples.human.push(human);
  }
  return found;
}

/** People's ratings of a model's images of a prompt, without images that nobody rated. */
export const ratedOf = ({ human }: Samples): number[] =>
  human.filter((rating): rating is number => rating !== null);

/** How a model fares against another on one prompt. */
export interface Duel {
  readonly prompt: string;
  /** Its mean minus the other's. */
  readonly difference: number;
  /** The share of all pairs of their images in which its is the better one, ties half. */
  readonly win: number;
  /** The share of pairs that tie. */
  readonly tie: number;
}

/** Both models' numbers for one prompt compared; `sign` is -1 where less is better. What ties: `isTie`. */
export function duel(
  prompt: string,
  {
    one,
    other,
    sign,
    tieTolerance,
  }: TieOptions & {
    readonly one: readonly number[];
    readonly other: readonly number[];
    readonly sign: 1 | -1;
  },
): Duel {
  const rule = { direction: sign === 1 ? "higher" : "lower", tieTolerance } as const;
  let wins = 0;
  let ties = 0;
  for (const its of one) {
    for (const others of other) {
      const outcome = outcomeOf(its, others, rule);
      if (outcome === "pass") wins += 1;
      if (outcome === "tie") ties += 1;
    }
  }
  const pairs = one.length * other.length;
  return {
    prompt,
    difference: meanOf(one) - meanOf(other),
    win: (wins + ties / 2) / pairs,
    tie: ties / pairs,
  };
}

/** Differences by the metric on the shared prompts, ordered by name. */
export function duels(
  samples: SamplesOf,
  { a, b, ...rule }: TieOptions & { readonly a: string; readonly b: string; readonly sign: 1 | -1 },
): Duel[] {
  const others = samples.get(b);
  return [...(samples.get(a) ?? [])]
    .flatMap(([prompt, { scores }]) => {
      const other = others?.get(prompt)?.scores;
      return other === undefined ? [] : [duel(prompt, { one: scores, other, ...rule })];
    })
    .sort((one, other) => (one.prompt < other.prompt ? -1 : 1));
}

export const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
