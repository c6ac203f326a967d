/** @example listText(["a", "b", "c"]) // "a, b and c" */
export function listText(items: readonly string[], word: "and" | "or" = "and"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${word} ${last}`;
}

/**
 * The text with each "a" or "an" made to agree with the sound of the word after it.
 *
 * @example withArticles("a e-scooter beside an unicycle") // "an e-scooter beside a unicycle"
 */
export function withArticles(text: string): string {
  return text.replace(/\b([Aa])n? (?=(\S+))/g, (_, letter: string, word: string) =>
    startsWithVowelSound(word) ? `${letter}n ` : `${letter} `,
  );
}

const startsWithVowelSound = (word: string): boolean =>
  isSpelled(word)
    ? /^[AEFHILMNORSX]/.test(word)
    : /^(?:[aio]|e(?!u)|u(?!ni(?![nm])|kra|gan|rug|s[eu]|til)|hono|hones|hour|heir)/i.test(word) &&
      !/^one\b/i.test(word);

/** Whether a word is read letter by letter, such as HR or LGBTQ+. Most of the longer ones are not. */
const isSpelled = (word: string): boolean => /^(?:[A-Z]{2,3}|LGBTQ?)(?![A-Za-z])/.test(word);
