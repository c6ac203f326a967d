import { type ComparisonColumns, cellsOf, type Samples, scoresOf } from "./comparison-samples.js";

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

/** The scores of all models, by prompt. */
export function promptScores(samples: Samples): PromptScores {
  const { models, prompts } = samples;
  const scores = models.map((name, model) => {
    const its: (readonly number[])[] = prompts.map(() => []);
    const { from, to } = cellsOf(samples, model);
    for (let cell = from; cell < to; cell++) {
      its[samples.prompt[cell] ?? 0] = Array.from(scoresOf(samples, cell));
    }
    return [name, its] as const;
  });
  return { version: promptScoresVersion, prompts, models: Object.fromEntries(scores) };
}

/** The rows that a model's scores came from; unscored ones and people's labels are in none. */
export function columnsOfScores(
  { prompts, models }: PromptScores,
  name: string,
): ComparisonColumns {
  const scores = models[name] ?? [];
  const codes = scores.flatMap((its, prompt) => its.map(() => prompt));
  return {
    model: { codes: new Int32Array(codes.length), names: [name] },
    prompt: { codes: Int32Array.from(codes), names: prompts },
    score: Float64Array.from(scores.flat()),
  };
}
