import { InputError } from "../../../core/errors.js";
import { bareName, withoutRevision } from "../../../core/models.js";

/**
 * Refuses models that the settings here place at another address than the run's recipe does: all that they
 * were asked there would be asked here once more.
 *
 * @param asked names of models with their addresses, as a recipe has them
 * @throws InputError
 */
export function refuseOtherAddress(
  asked: readonly string[],
  { recipe, place }: { readonly recipe: readonly string[]; readonly place: string },
): void {
  const known = new Set(recipe.map(withoutRevision));
  for (const model of asked.map(withoutRevision)) {
    if (known.has(model)) continue;
    const elsewhere = recipe.find((other) => bareName(other) === bareName(model));
    if (elsewhere === undefined) continue;
    throw new InputError(`Expected ${elsewhere} for ${place} but received ${model}`, {
      hint: "All workers need the settings by which the run was made: touchstone.config.yaml and base URLs in the environment.",
    });
  }
}
