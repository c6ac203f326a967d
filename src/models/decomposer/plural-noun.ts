import { decomposerWords, type Words } from "./decomposer-words.js";

/**
 * Whether a noun goes without "a": a plural such as "trousers" or "people", or a mass such as "grass".
 *
 * @example isPluralNoun("denim shorts") // true
 */
export function isPluralNoun(
  noun: string,
  { undetermined }: Pick<Words, "undetermined"> = decomposerWords(),
): boolean {
  const word = noun.toLowerCase();
  const last = word.split(" ").at(-1) ?? word;
  return undetermined.has(word) || undetermined.has(last) || /[^sui]s$/.test(last);
}
