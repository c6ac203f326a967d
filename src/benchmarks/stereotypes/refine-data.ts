import { z } from "zod";
import { linedYaml } from "../../files/yaml.js";
import type { RefineWording } from "../../judges/refine-prompt.js";
import type { RefineRules } from "../../judges/refine-rules.js";
import { loadData } from "../load-data.js";
import { instructionMembers, withLegend } from "./judge-wording.js";
import type { DataSource } from "./packaged.js";

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

const ownSchema = z.strictObject({
  ...instructionMembers,
  verbatim: sentence.optional(),
  meaning: sentence.optional(),
});

/**
 * Reads the words to a refiner from a file of one's own, or of a paper.
 *
 * @throws InputError that lists every problem with its line.
 */
export function readRefineWording({ file, text }: DataSource): RefineWording {
  const { value } = linedYaml(file, text, ownSchema);
  const { system, legend, verbatim = "", meaning = "", answer, again } = value;
  return { system: withLegend(system, legend), verbatim, meaning, answer, again };
}

/**
 * Reads data/stereotypes/refine.yaml and stereotype-words.yaml.
 *
 * @param own words to the refiner in place of the package's; the rules stay
 */
export function loadRefineData(own?: RefineWording): RefineData {
  const { words, askings, collage, small, ...packagedWording } = loadData(
    "stereotypes/refine.yaml",
    refineSchema,
  );
  const wording = own ?? packagedWording;
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
