import { bareName, withoutRevision } from "../../../core/models.js";

/**
 * Whether all models that a run asks are among those that a worker was told of, by their names in recipes, with
 * or without revision and address; where it was told of none, it takes any.
 *
 * @example asksOnly(["lab:vqa"], ["lab:vqa@80dcc2a09671"]) // true
 */
export function asksOnly(told: readonly string[] | undefined, asked: readonly string[]): boolean {
  if (told === undefined) return true;
  const namesOf = (model: string) => [model, withoutRevision(model), bareName(model)];
  return asked.every((model) => namesOf(model).some((name) => told.includes(name)));
}
