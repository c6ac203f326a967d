import { InputError } from "../../core/errors.js";
import { nearest } from "../../core/nearest.js";
import type { Command, CommandGroup, Verb } from "./command.js";
import { insteadOf } from "./ended.js";

/** Verb or group that words of a command line name, and the rest. */
export interface FoundCommand {
  readonly name: string;
  readonly rest: readonly string[];
  readonly found: Command | CommandGroup;
}

/**
 * Walks from the root down to the verb that the words name.
 *
 * @throws InputError for a word that is no verb, with the nearest one as hint.
 */
export async function findCommand(
  words: readonly string[],
  root: Omit<CommandGroup, "kind">,
  parents: readonly string[] = [],
): Promise<FoundCommand> {
  const [first, ...rest] = words;
  const name = parents.join(" ");
  if (first === "--help" || first === "-h" || (first === undefined && parents.length === 0)) {
    return { name, rest: [], found: { kind: "group", ...root } };
  }
  if (first === undefined) {
    throw new InputError(`Expected a verb after touchstone ${name} but received nothing`, {
      hint: `It has ${root.verbs.map((verb) => verb.name).join(", ")}. See: touchstone ${name} --help`,
    });
  }
  // A verb of two words, such as "studio export", stands beside the one that the first word names.
  const two = root.verbs.find((candidate) => candidate.name === `${first} ${rest[0]}`);
  const verb = two ?? root.verbs.find((candidate) => candidate.name === first);
  if (verb === undefined) throw unknownVerb(first, parents, root.verbs);
  const { default: loaded } = await verb.load();
  const path = [...parents, verb.name];
  return loaded.kind === "group"
    ? findCommand(rest, loaded, path)
    : { name: path.join(" "), rest: two === undefined ? rest : rest.slice(1), found: loaded };
}

function unknownVerb(word: string, parents: readonly string[], known: readonly Verb[]) {
  const names = known.map((verb) => verb.name);
  const meant = nearest(word, names);
  const command = ["touchstone", ...parents].join(" ");
  const what = word.startsWith("-") ? "flag" : "verb";
  return new InputError(
    `Unknown ${what} "${word}" for ${command}; it has the verbs ${names.join(", ")}`,
    {
      hint:
        insteadOf([...parents, word].join(" ")) ??
        (meant === undefined
          ? `See: ${command} --help`
          : `Did you mean ${meant}? See: ${command} --help`),
    },
  );
}
