import { InputError } from "../core/errors.js";
import { quoted } from "../tables/format.js";

const place = "{text}";

/** @throws InputError where a wording has no place for the text. */
export function checkTemplate(template: string): string {
  if (template.includes(place)) return template;
  throw new InputError(`Expected {text} somewhere in the template but received "${template}"`);
}

/**
 * The wording with the text in its place.
 *
 * @example fillTemplate("A photo depicts {text}", "a cat") // "A photo depicts a cat"
 */
export const fillTemplate = (template: string, text: string): string =>
  // A function, since "$&" in a text would mean something to replaceAll.
  template.replaceAll(place, () => text);

/** @throws InputError where a metric has no such convention. */
export function checkConvention<Name extends string>(
  conventions: Readonly<Record<Name, unknown>>,
  convention: string,
  metric: string,
): asserts convention is Name {
  if (Object.hasOwn(conventions, convention)) return;
  throw new InputError(
    `Expected one of ${Object.keys(conventions).join(", ")} for the convention of ${metric} but ` +
      `received ${quoted(convention)}`,
  );
}
