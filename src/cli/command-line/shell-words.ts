import { shellWord } from "../../core/shell-word.js";

/**
 * Words as a command line that a POSIX shell reads back as the same words.
 *
 * @example shellWords(["score", "my cats"]) // "score 'my cats'"
 */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/**
 * The words of a command line that `shellWords` wrote, or a person as plainly: blanks part words,
 * what stands in single or double quotes or behind a backslash is taken as it is.
 *
 * @example wordsOf("score 'my cats'") // ["score", "my cats"]
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:[^\s'"\\]|'[^']*'|"[^"]*"|\\.)+/gsu)) {
    words.push(
      word.replace(/'([^']*)'|"([^"]*)"|\\(.)/gsu, (_all, single, double, one) =>
        String(single ?? double ?? one),
      ),
    );
  }
  return words;
}

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
