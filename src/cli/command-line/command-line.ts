import { shellWords } from "./shell-words.js";

/** Parts around the words of a command line. */
export interface AroundCommand {
  /** The words after `touchstone` of the command whose output it reads. */
  readonly reading?: readonly string[] | undefined;
  /** Variables set for it. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/**
 * A command line as a person types it: every word is quoted that has to be, and the program is called
 * as it was called this time, whatever stands in the words.
 *
 * @param words those after `touchstone`.
 * @example commandLine(["report", "my run"], { program: "touchstone" }) // "touchstone report 'my run'"
 */
export function commandLine(
  words: readonly string[],
  { program, reading, variables = {} }: AroundCommand & { readonly program: string },
): string {
  const source = reading === undefined ? "" : `${program} ${shellWords(reading)} | `;
  const set = Object.entries(variables).map(([name, value]) => `${name}=${shellWords([value])} `);
  return `${source}${set.join("")}${program} ${shellWords(words)}`;
}
