import { z } from "zod";
import { linedYaml } from "../../files/lined-yaml.js";

const text = z.string().trim().min(1);
const schema = z.strictObject({
  codes: z
    .array(z.strictObject({ code: text, description: text.optional() }))
    .min(1)
    .refine((codes) => new Set(codes.map(({ code }) => code)).size === codes.length, {
      error: "expected each code once",
    }),
});

/** The codes of a codebook, in its order. @throws InputError that lists every problem with its line. */
export const readCodebook = (file: string, content: string): readonly string[] =>
  linedYaml(file, content, schema).value.codes.map(({ code }) => code);
