import { sharedArguments } from "../../src/cli/command-line/command.js";
import { parseArguments } from "../../src/cli/command-line/parse-arguments.js";
import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { findCommand } from "../../src/cli/main.js";
import { earlierNames, verbs } from "../../src/cli/verbs.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a colour begins with.
const colours = /\u001b\[[0-9;]*m/g;

/** The command lines that a text suggests as the next ones. */
export const nextCommandsIn = (text: string): string[] =>
  [...text.replace(colours, "").matchAll(/^Next(?:, in another terminal)?: (.+)$/gm)].map(
    ([, line = ""]) => line,
  );

/**
 * Reads a suggested command line as a shell and then the command line itself would, without running it.
 *
 * @returns the verbs that it names, one for each part of a pipe.
 * @throws Error where a part calls another program; InputError where it names no verb, or its words
 *   are not what the verb takes.
 */
export async function parsedNext(line: string): Promise<string[]> {
  const names: string[] = [];
  for (const words of commandsOf(wordsOf(line))) {
    // As touchstone is called where it is installed, in a clone, or by its path.
    const [program, ...rest] = words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word)));
    if (!/^(?:\S*\/)?touchstone$/.test(program ?? ""))
      throw new Error(`Expected touchstone but received ${program}`);
    const {
      name,
      found,
      rest: given,
    } = await findCommand(rest, { description: "", examples: ["touchstone"], verbs });
    if (earlierNames.has(rest[0] ?? "")) throw new Error(`${rest[0]} is now ${name}`);
    if (found.kind === "group") throw new Error(`Expected a verb after ${name}`);
    parseArguments(given, { ...found.arguments, ...sharedArguments }, name);
    names.push(name);
  }
  return names;
}

/** Parts of a pipe. A quoted | is in a longer word, or nobody means it as a word of its own. */
function commandsOf(words: readonly string[]): string[][] {
  const at = words.indexOf("|");
  return at === -1 ? [[...words]] : [words.slice(0, at), ...commandsOf(words.slice(at + 1))];
}
