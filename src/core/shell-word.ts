/** A word that a POSIX shell takes for one, whatever is in it. @example shellWord("my cats") // "'my cats'" */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
