import { InputError } from "./errors.js";
import { type Arguments, flagValue, type Given, type Raw, readValue } from "./options.js";

/** Entries of a form by argument: a text, several, or whether a switch is on; absent if not given. */
export type Filled = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/**
 * Reads a verb's values from a form in place of a line: an empty text counts as absent.
 *
 * @throws InputError as `parseArguments` does for a flag of the same value.
 * @example givenOf({ file: "a.csv", seed: "3" }, declared, "analyze swap")
 */
export function givenOf<Declared extends Arguments>(
  filled: Filled,
  declared: Declared,
  verb: string,
): Given<Declared> {
  const given: Record<string, Raw | readonly Raw[] | boolean | undefined> = {};
  for (const [name, argument] of Object.entries(declared)) {
    const value = filled[name];
    const texts = (Array.isArray(value) ? value : [value]).filter(
      (text) => typeof text === "string" && text !== "",
    );
    if (argument.kind === "positional") {
      if (texts[0] === undefined && argument.optional !== true) {
        throw new InputError(`Expected ${name.toUpperCase()} for ${verb} but received nothing`);
      }
      given[name] = argument.repeated === true ? texts : texts[0];
    } else if (argument.kind === "switch") given[name] = value === true;
    else {
      const values = texts.map((text) => readValue(name, argument, text));
      given[name] = flagValue(name, argument, values.length === 0 ? undefined : values, verb);
    }
  }
  // Each value was read by its own declaration.
  return given as Given<Declared>;
}
