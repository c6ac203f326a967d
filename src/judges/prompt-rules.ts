import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

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

let loaded: z.output<typeof schema> | undefined;

/** The words of data/prompts/lint.yaml, read when they are first needed. */
export function promptRules(): z.output<typeof schema> {
  loaded ??= schema.parse(
    parse(readFileSync(new URL("../../data/prompts/lint.yaml", import.meta.url), "utf8")),
  );
  return loaded;
}
