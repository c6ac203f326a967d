import type { RecordOf } from "../core/records.js";

/** Rules that rewrites are checked against; data/stereotypes/refine.yaml and stereotype-words.yaml have them. */
export interface RefineRules {
  /** The longest rewrite, in words. */
  readonly words: number;
  /** Words of pictures that are made of several. */
  readonly collage: readonly string[];
  /** Words that mode meaning may leave out. */
  readonly small: readonly string[];
  /** Words that bring a stereotype; * stands for any ending. */
  readonly stereotypes: readonly string[];
}

/**
 * The rules that a rewrite of a query breaks, a sentence each, as its writer is told them. Each
 * begins with the rule's name: empty, query, length, collage, stereotype-word.
 *
 * @param keepsMeaning whether something else checks that a rewrite in mode meaning keeps the query's
 *   sense; else every word of the query but the small ones must be in it
 */
export function brokenRules(
  {
    query,
    prompt,
    mode,
    keepsMeaning = false,
  }: {
    readonly query: string;
    readonly prompt: string;
    readonly mode: RecordOf<"refinement">["mode"];
    readonly keepsMeaning?: boolean;
  },
  rules: RefineRules,
): string[] {
  const said = wordsOf(prompt);
  const asked = wordsOf(query);
  if (said.length === 0) return ["empty: the prompt has no words"];
  return [
    ...queryProblem({ asked, said, mode, keepsMeaning, small: rules.small }),
    ...(said.length > rules.words
      ? [`length: the prompt has ${said.length} words, more than ${rules.words}`]
      : []),
    ...newWords(rules.collage, { asked, said }).map(
      (word) => `collage: "${word}" is a word of several pictures; describe one scene`,
    ),
    ...newWords(rules.stereotypes, { asked, said }).map(
      (word) => `stereotype-word: "${word}" may bring a stereotype that the query has not`,
    ),
  ];
}

function queryProblem({
  asked,
  said,
  mode,
  keepsMeaning,
  small,
}: {
  readonly asked: readonly string[];
  readonly said: readonly string[];
  readonly mode: "verbatim" | "meaning";
  readonly keepsMeaning: boolean;
  readonly small: readonly string[];
}): string[] {
  if (mode === "verbatim") {
    return stands(asked, said)
      ? []
      : [`query: the query "${asked.join(" ")}" does not stand in the prompt word for word`];
  }
  if (keepsMeaning) return [];
  const lost = asked.filter((word) => !small.includes(word) && !said.includes(word));
  return lost.length === 0 ? [] : [`query: the prompt lacks ${lost.join(", ")} of the query`];
}

/** The listed words and phrases that the rewrite has and the query has not. */
function newWords(
  listed: readonly string[],
  { asked, said }: { readonly asked: readonly string[]; readonly said: readonly string[] },
): string[] {
  return listed.filter((phrase) => {
    const words = listedWords(phrase);
    return stands(words, said) && !stands(words, asked);
  });
}

/** Whether a phrase stands in a text as whole words in a row. */
function stands(phrase: readonly string[], text: readonly string[]): boolean {
  if (phrase.length === 0) return false;
  return text.some((_, start) =>
    phrase.every((word, at) => {
      const there = text[start + at];
      if (there === undefined) return false;
      return word.endsWith("*") ? there.startsWith(word.slice(0, -1)) : there === word;
    }),
  );
}

/** Lower case, no punctuation; hyphens part words, so that "third-world" is two. */
const wordsOf = (text: string): string[] =>
  foundIn(text, /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu);

/** The same, and the * at the end of a listed word. */
const listedWords = (text: string): string[] =>
  foundIn(text, /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*\*?/gu);

const foundIn = (text: string, word: RegExp): string[] =>
  [...text.normalize("NFC").toLowerCase().matchAll(word)].map(([found]) => found);
