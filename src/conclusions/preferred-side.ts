export type Side = "a" | "b" | "tie";

/** Words of LMArena, MT-Bench, Pick-a-Pic and surveys, and comparisons of their judges: A>B, [[B>>A]], A=B=Good. */
const words: Readonly<Record<Side, RegExp>> = {
  a: /^(model|image|response|option)[-_ ]?(a|1)$|^(left|first)$|^a ?>{1,2} ?b$|^b ?<{1,2} ?a$/,
  b: /^(model|image|response|option)[-_ ]?(b|2)$|^(right|second)$|^b ?>{1,2} ?a$|^a ?<{1,2} ?b$/,
  tie: /^ties?\b|^(both|equal|draw|same|neither)$|^both[-_ ]?bad$|^no[-_ ]preference$|^(a ?= ?b|b ?= ?a)( ?= ?(good|bad))?$/,
};

/**
 * Which of a row's two images a word names: a, b or tie in any case, the name of one of its models, or a word
 * as published data have it, such as model_a, left and A>B; undefined where it is none of these.
 *
 * @example preferredSide("painter-b", { a: "painter-a", b: "painter-b" }) // "b"
 */
export function preferredSide(
  word: string,
  { a, b }: { readonly a?: string | undefined; readonly b?: string | undefined },
): Side | undefined {
  const lower = word
    .toLowerCase()
    .replace(/^\[+|\]+$/g, "")
    .trim();
  if (lower === "a" || lower === "b" || lower === "tie") return lower;
  if (word === a) return "a";
  if (word === b) return "b";
  return (["a", "b", "tie"] as const).find((side) => words[side].test(lower));
}
