import type { ComparisonRow, SamplesOf } from "./comparison-samples.js";

/** Raised where `PromptScores` changes its form. */
export const promptScoresVersion = 1;

/** Each model's scores of each prompt: what a paired test against a later comparison needs. */
export interface PromptScores {
  readonly version: typeof promptScoresVersion;
  /** Prompts with a score of any model, in the order of their names. */
  readonly prompts: readonly string[];
  /** For each model its scores of each of `prompts`, in their order; empty where it has none. */
  readonly models: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** The scores of `models`, by prompt. */
export function promptScores(samples: SamplesOf, models: readonly string[]): PromptScores {
  const prompts = [...new Set([...samples.values()].flatMap((its) => [...its.keys()]))].sort();
  const scoresOf = (model: string) =>
    prompts.map((prompt) => samples.get(model)?.get(prompt)?.scores ?? []);
  return {
    version: promptScoresVersion,
    prompts,
    models: Object.fromEntries(models.map((model) => [model, scoresOf(model)])),
  };
}

/** The rows that the scores came from; unscored ones and people's labels are in none. */
export function rowsOfScores({ prompts, models }: PromptScores): ComparisonRow[] {
  return Object.entries(models).flatMap(([model, scores]) =>
    prompts.flatMap((prompt, at) =>
      (scores[at] ?? []).map((score): ComparisonRow => ({ model, prompt, score })),
    ),
  );
}
