import { createHash } from "node:crypto";
import { InputError } from "../../core/errors.js";
import { type Recipe, recipeSchema } from "../../core/recipe.js";

/** The seal of a recipe: the SHA-256 of its text. */
export const textSeal = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The text of a recipe, as a folder's `run.json` has it. */
export const recipeText = (recipe: Recipe): string => `${JSON.stringify(recipe, null, 2)}\n`;

export function parsedRecipe(text: string, shown: string): Recipe {
  try {
    return recipeSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new InputError(`Expected the recipe of a run but received something else (in ${shown})`, {
      hint: "It was changed by hand, or written by another version of Touchstone.",
      cause,
    });
  }
}
