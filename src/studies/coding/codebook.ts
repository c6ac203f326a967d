import { z } from "zod";
import { linedYaml } from "../../files/yaml.js";
import type { Code } from "../study.js";

const text = z.string().trim().min(1);

export const codesSchema = z
  .array(
    z.strictObject({
      code: text
        .max(100)
        .refine(
          (code) => !code.includes(";"),
          "a code has no semicolon: it parts the codes of a sheet",
        )
        .refine((code) => code !== "-", '"-" in a sheet says that no code applies'),
      description: text.optional(),
    }),
  )
  .min(1)
  .refine((codes) => new Set(codes.map(({ code }) => code)).size === codes.length, {
    error: "expected each code once",
  });

const schema = z.strictObject({ codes: codesSchema });

/** The codes of a codebook, in its order. @throws InputError that lists every problem with its line. */
export const readCodebook = (file: string, content: string): readonly Code[] =>
  linedYaml(file, content, schema, "A codebook is codes: [{code, description}].").value.codes;
