import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { parseArguments } from "./arguments.js";
import { type Command, type CommandGroup, sharedArguments, type Verb } from "./command.js";
import type { Environment } from "./environment.js";
import { exitCodeOf, exitCodes } from "./exit-codes.js";
import { commandHelp, groupHelp } from "./help.js";
import { outputFor } from "./output.js";
import { asTyped } from "./program.js";
import { reportError } from "./report-error.js";
import { verbs } from "./verbs.js";
import { version } from "./version.js";

const description =
  "Touchstone decides whether a text-to-image result is right, and whether the thing that " +
  "decided can be trusted.";

/** Runs one command line to its exit code. Prints through the environment and never throws. */
export async function runCommandLine(
  line: readonly string[],
  environment: Environment,
  root: readonly Verb[] = verbs,
): Promise<number> {
  const words = line[0] === "help" ? [...line.slice(1), "--help"] : line;
  const beforeDashes = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const json = beforeDashes.includes("--json");
  const debug = beforeDashes.includes("--debug") || Boolean(environment.variables.TOUCHSTONE_DEBUG);
  const output = outputFor({ environment, json });
  try {
    const wantsHelp = beforeDashes.some((word) => word === "--help" || word === "-h");
    if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
      output.data(`${version()}\n`);
      return exitCodes.done;
    }
    const { name, rest, found } = await find(words, { description, verbs: root });
    if (found.kind === "group" || wantsHelp) {
      const help = found.kind === "group" ? groupHelp(name, found) : commandHelp(name, found);
      output.data(`${asTyped(help, environment)}\n`);
      return exitCodes.done;
    }
    const given = parseArguments(rest, { ...found.arguments, ...sharedArguments }, name);
    await found.run({ given, environment, output });
    output.finish();
    return environment.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    output.clear();
    reportError(error, { environment, json, debug });
    return environment.signal.aborted ? exitCodes.interrupted : exitCodeOf(error);
  }
}

interface Found {
  readonly name: string;
  readonly rest: readonly string[];
  readonly found: Command | CommandGroup;
}

/** Walks from the root down to the verb that the words name. */
async function find(
  words: readonly string[],
  root: Omit<CommandGroup, "kind">,
  parents: readonly string[] = [],
): Promise<Found> {
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
  const verb = root.verbs.find((candidate) => candidate.name === first);
  if (verb === undefined) throw unknownVerb(first, parents, root.verbs);
  const { default: loaded } = await verb.load();
  const path = [...parents, verb.name];
  return loaded.kind === "group"
    ? find(rest, loaded, path)
    : { name: path.join(" "), rest, found: loaded };
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
        meant === undefined
          ? `See: ${command} --help`
          : `Did you mean ${meant}? See: ${command} --help`,
    },
  );
}
