import { parseArgs } from "node:util";
import { InputError } from "../../core/errors.js";
import { nearest } from "../../core/nearest.js";
import {
  type Argument,
  type Arguments,
  flagValue,
  type Given,
  looksLikeFlag,
  type Positional,
  type Raw,
  readValue,
  valueName,
} from "../../core/options.js";

/**
 * Reads the words after a verb against what the verb declares, strictly: an unknown flag, a flag
 * without its value or given twice, a value of the wrong kind and a word too many are errors.
 *
 * @throws InputError with the nearest flag as hint.
 */
export function parseArguments<Declared extends Arguments>(
  words: readonly string[],
  declared: Declared,
  verb: string,
): Given<Declared> {
  const flags = new Map<string, Exclude<Argument, Positional>>();
  const positionals: [name: string, argument: Positional][] = [];
  for (const [name, argument] of Object.entries(declared)) {
    if (argument.kind === "positional") positionals.push([name, argument]);
    else flags.set(name, argument);
  }
  const known = new Map(flags);
  for (const [, { flags: named = [], description }] of positionals) {
    for (const flag of named) known.set(flag, { kind: "text", description });
  }
  const values = new Map<string, Raw[] | true>();
  const loose: string[] = [];

  const options = Object.fromEntries(
    [...known].map(([name, { kind }]) => [
      name,
      { type: kind === "switch" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  // Node's own parser splits the words; it is asked not to judge them, since its messages name no
  // nearest flag.
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional") loose.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const flag = rawName.startsWith("--") ? known.get(name) : undefined;
    if (flag === undefined) throw unknownFlag(rawName, [...known.keys()], verb);
    if (flag.kind === "switch") {
      if (value !== undefined) {
        throw new InputError(`Expected no value for --${name} but received "${value}"`);
      }
      values.set(name, true);
      continue;
    }
    if (value === undefined || (!token.inlineValue && looksLikeFlag(value))) {
      throw new InputError(
        `Expected a value for --${name} but received ${value === undefined ? "nothing" : `"${value}"`}`,
        { hint: `touchstone ${verb} --${name} ${valueName(name, flag)}` },
      );
    }
    const said = values.get(name);
    const earlier = said === undefined || said === true ? [] : said;
    if (earlier.length > 0 && flag.repeated !== true) {
      throw new InputError(`Expected --${name} once but received it twice`);
    }
    values.set(name, [...earlier, readValue(name, flag, value)]);
  }

  const given: Record<string, Raw | readonly Raw[] | boolean | undefined> = {};
  for (const [name, flag] of flags) given[name] = flagValue(name, flag, values.get(name), verb);
  for (const [name, positional] of positionals) {
    const said = positional.flags?.map((flag) => values.get(flag)).find((one) => one !== undefined);
    const word = Array.isArray(said) ? String(said[0]) : loose.shift();
    if (word === undefined && positional.optional !== true) {
      throw new InputError(`Expected ${name.toUpperCase()} for ${verb} but received nothing`, {
        hint: `${name.toUpperCase()}: ${positional.description}. See: touchstone ${verb} --help`,
      });
    }
    if (positional.repeated !== true) given[name] = word;
    else given[name] = word === undefined ? [] : [word, ...loose.splice(0)];
  }
  if (loose.length > 0) {
    throw new InputError(
      `Expected ${positionals.length === 0 ? "no" : `at most ${positionals.length}`} ` +
        `argument${positionals.length === 1 ? "" : "s"} for ${verb} but also received "${loose[0]}"`,
      { hint: `See: touchstone ${verb} --help` },
    );
  }
  return given as Given<Declared>;
}

function unknownFlag(word: string, known: readonly string[], verb: string) {
  const meant = nearest(word.replace(/^-+/, ""), known);
  return new InputError(`Unknown flag ${word} for ${verb}`, {
    hint:
      insteadOf(word) ??
      (meant === undefined
        ? `See: touchstone ${verb} --help`
        : `Did you mean --${meant}? See: touchstone ${verb} --help`),
  });
}

const oneFolder =
  "A run is a folder that one process collects: touchstone run resume DIR. One in a database is copied into a " +
  "folder by version 0.2.0: run copy ADDRESS DIR";

/** Verbs and flags of earlier versions, each with what to do instead. */
const ended: ReadonlyMap<string, string> = new Map(
  ["worker", "--workers-only", "run copy", "--store", "--blobs"].map((word) => [word, oneFolder]),
);

/** What to do instead of a verb or flag that ended; undefined for any other word. */
export const insteadOf = (word: string): string | undefined => ended.get(word);
