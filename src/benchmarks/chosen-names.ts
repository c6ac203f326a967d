import { InputError } from "../core/errors.js";

/**
 * Reads the names given for a flag, each once; all of them where none was given.
 *
 * @throws InputError for a name that is not known.
 */
export function chosenNames<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
  flag: string,
): readonly Name[] {
  if (given.length === 0) return known;
  return [...new Set(given)].map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    throw new InputError(`Expected one of ${known.join(", ")} for ${flag} but received "${name}"`);
  });
}
