import type { Recipe } from "../core/recipe.js";
import { hasStep } from "./has-step.js";

/**
 * The benchmarks by name: how a run of each is known, and whether its metrics may have trust cards. For
 * whoever only asks that: what builds, paints and scores one is much to load.
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
