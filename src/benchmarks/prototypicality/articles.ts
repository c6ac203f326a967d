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
  /^(?:[aio]|e(?!u)|u(?!ni)|hono|hones|hour|heir)/i.test(word) && !/^one\b/i.test(word);
