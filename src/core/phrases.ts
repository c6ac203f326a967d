/** @example listText(["a", "b", "c"]) // "a, b and c" */
export function listText(items: readonly string[], word: "and" | "or" = "and"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** Thousands are set apart: 1800 -> "1,800". `toLocaleString` does so, too, after 25 ms at its first call. */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** One of something, several of others. @example pluralText(1, "triplet") // "1 triplet" */
export function pluralText(count: number, one: string, several = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : several}`;
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
