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
