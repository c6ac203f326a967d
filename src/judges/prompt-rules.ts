import { z } from "zod";
import { once } from "../core/once.js";
import { packagedYaml } from "../files/packaged-yaml.js";

const phrases = z.array(z.string().min(1)).min(1);

const schema = z.strictObject({
  /** Lean towards an answer or a place. */
  leaning: phrases,
  /** Turn the question round. */
  inverting: phrases,
  /** Ask for a form of answer. */
  asking: phrases,
  words: z.strictObject({ least: z.int().positive(), most: z.int().positive() }),
});

/** The words of data/prompts/lint.yaml, read when they are first needed. */
export const promptRules = once(() => schema.parse(packagedYaml("prompts/lint.yaml")));
