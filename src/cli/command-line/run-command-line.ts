import { InputError, Planned, UnknownColumns } from "../../core/errors.js";
import { nearest } from "../../core/nearest.js";
import type { Environment } from "../environment.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { version } from "../program.js";
import { reportError } from "../report-error.js";
import { type Output, outputFor } from "../terminal/output.js";
import { earlierNames, verbs } from "../verbs.js";
import {
  type Command,
  type CommandGroup,
  invocationOf,
  sharedArguments,
  type Verb,
} from "./command.js";
import { commandHelp, groupHelp, verbsBelow } from "./help.js";
import { insteadOf, parseArguments } from "./parse-arguments.js";
import { inStore, withSecrets } from "./store-argument.js";

const description =
  "Touchstone decides whether a text-to-image result is right, and whether the thing that " +
  "decided can be trusted.";

const examples = [
  "touchstone demo",
  "touchstone example contrastive | touchstone analyze contrastive -",
] as const;

/** Runs one command line to its exit code. Prints through the environment and never throws. */
export async function runCommandLine(
  line: readonly string[],
  outside: Environment,
  root: readonly Verb[] = verbs,
): Promise<number> {
  // Whatever fails: no password of an address among the words is ever shown.
  const environment = withSecrets(outside, line);
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
    const { name, rest, found } = await findCommand(words, { description, examples, verbs: root });
    const [first = ""] = words;
    const now = earlierNames.get(first);
    if (now !== undefined && name.startsWith(now))
      output.warn(`touchstone ${first} is now touchstone ${now}`);
    if (found.kind === "group" || wantsHelp) {
      const page = { width: output.style.width, program: environment.program };
      const help =
        found.kind === "group"
          ? groupHelp(name, found, page)
          : commandHelp(name, { ...found, verbs: verbsBelow(name, root) }, page);
      output.data(`${help}\n`);
      return exitCodes.done;
    }
    const given = parseArguments(rest, { ...found.arguments, ...sharedArguments }, name);
    const call = inStore(found.arguments, { given, environment, output });
    const limits =
      "max-cost" in found.arguments && (await found.asksModels?.(given, environment)) !== false
        ? await (await import("../configuration/configured-limits.js")).configuredLimits(
            given,
            environment,
          )
        : {};
    await found
      .run(invocationOf({ name, command: found }, { ...call, limits }))
      .catch((error: unknown) => {
        if (!(error instanceof Planned)) throw error;
        showPlanned(error, output);
      });
    output.finish();
    return environment.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    output.clear();
    reportError(await withReader(error, words), {
      environment,
      json,
      debug,
      foreseen: output.foreseen,
    });
    return environment.signal.aborted ? exitCodes.interrupted : exitCodeOf(error);
  }
}

/** Shows a run that was planned and no more. */
function showPlanned({ run, steps }: Planned, output: Output): void {
  output.resultJson({ run: run ?? null, steps: [...steps] });
  if (run === undefined) {
    output.result("Nothing is left to ask. No run was planned.");
    return;
  }
  output.result(`Wrote the recipe of ${run}: ${steps.length} steps. Nothing was asked.`);
  output.nextCommand(["run", "plan", run]);
}

/** Names the command that reads a table whose columns say nothing to the verb. */
async function withReader(error: unknown, words: readonly string[]): Promise<unknown> {
  if (!(error instanceof UnknownColumns)) return error;
  return (await import("../../conclusions/guess-table.js")).withReader(error, words);
}

/** Verb or group that words of a command line name, and the rest. */
export interface FoundCommand {
  readonly name: string;
  readonly rest: readonly string[];
  readonly found: Command | CommandGroup;
}

/**
 * Walks from the root down to the verb that the words name, by its name or an earlier one.
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
  if (verb === undefined && root.otherwise?.takes(first) === true) {
    return { name, rest: words, found: (await root.otherwise.load()).default };
  }
  if (verb === undefined) {
    const now = parents.length === 0 ? earlierNames.get(first) : undefined;
    if (now === undefined) throw unknownVerb(first, parents, root.verbs);
    return findCommand([...now.split(" "), ...rest], root);
  }
  const { default: loaded } = await verb.load();
  const path = [...parents, verb.name];
  const left = two === undefined ? rest : rest.slice(1);
  return loaded.kind === "group"
    ? findCommand(left, loaded, path)
    : { name: path.join(" "), rest: left, found: loaded };
}

function unknownVerb(word: string, parents: readonly string[], known: readonly Verb[]) {
  const names = known.map((verb) => verb.name).filter((name) => !name.includes(" "));
  // By its own name, by the last word of a verb of two, or by an earlier one.
  const words = new Map([
    ...(parents.length === 0 ? earlierNames : []),
    ...known.map(({ name }) => [name.slice(name.indexOf(" ") + 1), name] as const),
  ]);
  const meant = words.get(nearest(word, words.keys()) ?? "");
  const command = ["touchstone", ...parents].join(" ");
  const what = word.startsWith("-") ? "flag" : "verb";
  return new InputError(
    `Unknown ${what} "${word}" for ${command}` +
      (meant === undefined ? `; it has the verbs ${names.join(", ")}` : ""),
    {
      hint:
        insteadOf([...parents, word].join(" ")) ??
        (meant === undefined
          ? `See: ${command} --help`
          : `Did you mean ${meant}? See: ${command} --help`),
    },
  );
}
