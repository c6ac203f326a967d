import { z } from "zod";
import type { RefineWording } from "../../judges/refine-message.js";
import type { RefineRules } from "../../judges/refine-rules.js";
import { loadData } from "../load-data.js";

const sentence = z.string().trim().min(1);
const word = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’ -]*\*?$/u, "expected words, with * at the end at most")
  .refine((text) => text === text.toLowerCase(), { error: "expected small letters" });

const refineSchema = z.strictObject({
  words: z.int().positive(),
  askings: z.int().positive(),
  collage: z.array(word).min(1),
  small: z.record(z.string(), z.array(word)),
  system: sentence,
  verbatim: sentence,
  meaning: sentence,
  answer: sentence,
  again: sentence,
});

const wordsSchema = z.record(z.string(), z.array(word));

/** A refiner's wording, and the rules that its rewrites must keep. */
export interface RefineData {
  readonly wording: RefineWording;
  readonly askings: number;
  /** The rules for queries of a language. */
  rulesFor(language: string): RefineRules;
}

/** data/stereotypes/refine.yaml and stereotype-words.yaml. */
export function loadRefineData(): RefineData {
  const { words, askings, collage, small, ...wording } = loadData(
    "stereotypes/refine.yaml",
    refineSchema,
  );
  const stereotypes = loadData("stereotypes/stereotype-words.yaml", wordsSchema);
  return {
    wording,
    askings,
    rulesFor(language) {
      const main = language.toLowerCase().split("-")[0] ?? "";
      return {
        words,
        collage,
        small: small[main] ?? [],
        stereotypes: [...(stereotypes.any ?? []), ...(stereotypes[main] ?? [])],
      };
    },
  };
}
