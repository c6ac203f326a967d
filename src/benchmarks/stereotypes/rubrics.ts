import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { linedYaml } from "../../files/lined-yaml.js";
import type { RubricItem } from "../../judges/rubric-message.js";
import { packaged } from "./packaged.js";

const name = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters, digits and dashes");
const sentence = z.string().trim().min(1);

export const itemSchema = z.strictObject({
  item: name,
  asks: sentence.refine((text) => /[?？؟]$/.test(text), {
    error: "expected a question, with its mark",
  }),
  // A rubric may have questions alone, as the paper's.
  definition: sentence.default(""),
  present: sentence.default(""),
  absent: sentence.default(""),
});

const fileSchema = z.strictObject({
  include: z.literal("default").optional(),
  /** The origin of the words, such as a paper's table. */
  source: sentence.optional(),
  rubrics: z.record(name, z.array(itemSchema).min(1)),
});

/** Questions about the images of a category, in the order in which they are asked. */
export interface Rubric {
  readonly name: string;
  readonly items: readonly RubricItem[];
}

/**
 * The rubrics of a file, those of the package where none is given, by name. With `include: default`
 * those of the package stand beside the file's, which win where both have one.
 *
 * @throws InputError that lists every problem with its line.
 * @example loadRubrics().get("occupational")?.items.length // 9
 */
export function loadRubrics(source = packaged("rubrics.yaml")): ReadonlyMap<string, Rubric> {
  const { value, lineOf } = linedYaml(source.file, source.text, fileSchema);
  const problems: string[] = [];
  const own = Object.entries(value.rubrics).map(([rubric, items]) => {
    const seen = new Set<string>();
    for (const [at, { item, present, absent }] of items.entries()) {
      const where = lineOf(["rubrics", rubric, at]);
      if (seen.has(item)) problems.push(`${where}: ${rubric} has the item ${item} twice`);
      if (present !== "" && present === absent) {
        problems.push(`${where}: ${rubric}.${item} has one example for present and for absent`);
      }
      seen.add(item);
    }
    return [rubric, { name: rubric, items }] as const;
  });
  if (problems.length > 0) {
    throw new InputError(`Expected other items in ${source.file}`, { problems });
  }
  return new Map([...(value.include === "default" ? loadRubrics() : []), ...own]);
}
