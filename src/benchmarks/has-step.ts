import type { Recipe } from "../core/recipe.js";

/** Tells whether a recipe has a step of this name. */
export const hasStep =
  (step: string) =>
  ({ steps }: Pick<Recipe, "steps">): boolean =>
    steps.some(({ name }) => name === step);
