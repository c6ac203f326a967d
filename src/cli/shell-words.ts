/**
 * Words as a command line that a POSIX shell reads back as the same words.
 *
 * @example shellWords(["score", "my cats"]) // "score 'my cats'"
 */
export function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
