import { InputError } from "../core/errors.js";
import type { Recipe } from "../core/recipe.js";

/** The error for a run that was made with something else. */
export function otherRecipe(
  place: string,
  recipe: Recipe,
  problems: readonly string[],
): InputError {
  const last = recipe.commands.at(-1);
  return new InputError(
    `Expected what the run in ${place} was made with but received another recipe`,
    {
      problems,
      hint: `Name another place for a new run${last === undefined ? "" : `, or go on with this one by: ${last}`}`,
    },
  );
}
