import { isNotAvailable, optionalText, type TextKind } from "../../../tables/columns.js";

type Preferred = "a" | "b" | "tie";

/** What somebody preferred, as the table says it; null where nobody answered. */
export const preferred: TextKind<string | null> = {
  isRequired: true,
  holds: "text",
  read(cell, about) {
    const said = optionalText.read(cell, about);
    if ("expected" in said) return { expected: expectedPreferred };
    const word = said.value?.trim();
    return { value: word === undefined || isNotAvailable(word) ? null : word };
  },
};

export const expectedPreferred = "a, b, tie, the preferred model's name or nothing";

/** Words of LMArena, MT-Bench, Pick-a-Pic and surveys, and comparisons of their judges: A>B, B>>A. */
const others: Readonly<Record<Preferred, RegExp>> = {
  a: /^(model|image|response|option)[-_ ]?(a|1)$|^(left|first)$|^a ?>{1,2} ?b$|^b ?<{1,2} ?a$/,
  b: /^(model|image|response|option)[-_ ]?(b|2)$|^(right|second)$|^b ?>{1,2} ?a$|^a ?<{1,2} ?b$/,
  tie: /^ties?\b|^(both|equal|draw|same|neither)$|^both ?bad$|^a ?= ?b$|^b ?= ?a$/,
};

/**
 * Which of a row's two images a word names: a, b or tie in any case, the name of one of its models, or a word
 * as published data have it, such as model_a, left and A>B; undefined where it is none of these.
 *
 * @example preferredSide("painter-b", { a: "painter-a", b: "painter-b" }) // "b"
 */
export function preferredSide(
  word: string,
  { a, b }: { readonly a: string; readonly b: string },
): Preferred | undefined {
  const lower = word.toLowerCase();
  if (lower === "a" || lower === "b" || lower === "tie") return lower;
  if (word === a) return "a";
  if (word === b) return "b";
  return (["a", "b", "tie"] as const).find((side) => others[side].test(lower));
}
