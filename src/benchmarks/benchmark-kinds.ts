import type { Recipe } from "../core/recipe.js";

/** Tells whether a recipe has a step of this name. */
export const hasStep =
  (step: string) =>
  ({ steps }: Pick<Recipe, "steps">): boolean =>
    steps.some(({ name }) => name === step);

/**
 * The benchmarks by name: how to recognise a run of each, and whether its metrics may have trust cards.
 * Kept apart from the benchmarks, whose steps take long to load.
 */
export const benchmarkKinds = {
  prototypicality: {
    name: "prototypicality",
    recognises: hasStep("build-prompts"),
    hasCards: true,
  },
  attributeConfusion: {
    name: "attribute-confusion",
    recognises: hasStep("build-descriptions"),
    hasCards: true,
  },
  preference: { name: "preference", recognises: hasStep("build-pairs"), hasCards: false },
  stereotypes: { name: "stereotypes", recognises: hasStep("build-queries"), hasCards: false },
} as const;

type BenchmarkKind = (typeof benchmarkKinds)[keyof typeof benchmarkKinds];

/** The kind of a run's benchmark; undefined where it holds something else. */
export const kindOf = (recipe: Pick<Recipe, "steps">): BenchmarkKind | undefined =>
  Object.values(benchmarkKinds).find(({ recognises }) => recognises(recipe));
