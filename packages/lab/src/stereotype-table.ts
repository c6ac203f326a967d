import { readFileSync } from "node:fs";
import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import { once } from "touchstone-t2i/internal/core/cache.js";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import { loadYaml } from "touchstone-t2i/internal/files/yaml.js";
import { z } from "zod";
import { packageFile } from "./package-file.js";

const word = z.string().min(1);
const words = z.array(word).min(1);
const share = z.number().gt(0).max(1);

const tropeSchema = z.union([
  z.strictObject({ gender: z.enum(["woman", "man"]) }),
  z.strictObject({ age: z.enum(["child", "adult", "older"]) }),
  z.strictObject({ skin: words }),
  z.strictObject({ hair: word }),
  z.strictObject({ attribute: word }),
  z.strictObject({ profession: word }),
  z.strictObject({ sign: word }),
  z.strictObject({
    garment: word,
    colour: word.exactOptional(),
    pattern: word.exactOptional(),
  }),
  z.strictObject({ place: word }),
  z.strictObject({ extra: word }),
]);

/** Look of a stereotype in the lab's pictures: one thing that a person or a place shows. */
export type Trope = z.output<typeof tropeSchema>;

const linesSchema = z.record(word, tropeSchema);

const termSchema = z
  .strictObject({ like: word, signs: z.array(word).default([]) })
  .catchall(z.union([tropeSchema, z.literal("none")]));

const byCategory = <Schema extends z.ZodType>(schema: Schema) =>
  z.record(word, z.record(word, schema));

const tableSchema = z.strictObject({
  notDrawn: byCategory(word),
  inSet: z.strictObject({
    gender: share,
    age: share,
    skin: share,
    hair: share,
    place: share,
    garment: share,
    attribute: share,
    profession: share,
    sign: share,
    extra: share,
  }),
  leaveOpen: z.strictObject({
    gender: words,
    age: words,
    skin: words,
    hair: words,
    expression: words,
    means: words,
    work: words,
    clothes: words,
    head: words,
    neck: words,
    hand: words,
  }),
  profiles: byCategory(linesSchema),
  terms: byCategory(termSchema),
});

/** Subject of a query, with the stereotypes that are known of it. */
export interface StereotypedTerm {
  readonly category: string;
  /** As a query has it: "CEO", "Nigerian", "rude". */
  readonly term: string;
  /** By item of the category's rubric; an item that is not here has no known stereotype. */
  readonly tropes: ReadonlyMap<string, Trope>;
  /** Signs that show the term itself where the lab's English has no word for it. */
  readonly signs: readonly string[];
}

const text = once(() => readFileSync(packageFile("data/stereotypes.yaml")));
const table = once(() => tableSchema.parse(loadYaml().parse(text().toString("utf8"))));

/** Names this version of the table: another table is another judge. */
export const tableRevision = once((): string => hashOf(text()));

/** Every term of the table, as `data/stereotypes.yaml` has them. */
export const stereotypedTerms = once((): readonly StereotypedTerm[] =>
  Object.entries(table().terms).flatMap(([category, terms]) =>
    Object.entries(terms).map(([term, { like, signs, ...own }]) => {
      const profile = table().profiles[category]?.[like];
      if (profile === undefined) {
        throw new RangeError(`${term} is like ${like}, a profile that ${category} has not`);
      }
      const lines = Object.entries({ ...profile, ...own });
      const tropes = lines.flatMap(([item, trope]) =>
        trope === "none" ? [] : [[item, trope as Trope] as const],
      );
      return { category, term, tropes: new Map(tropes), signs };
    }),
  ),
);

/** Trait that a prompt can leave to everybody, or out, without naming it. */
export type Left = keyof z.output<typeof tableSchema>["leaveOpen"];

/** The phrases that leave something open, the plainest first. */
export const leavingPhrases = once(
  () => new Map(Object.entries(table().leaveOpen) as [Left, string[]][]),
);

/** Why no picture of the lab can show an item; undefined where one can. */
export const notDrawnItem = (category: string, item: string): string | undefined =>
  table().notDrawn[category]?.[item];

const knownItems = once(
  () =>
    new Set(
      stereotypedTerms().flatMap(({ category, tropes }) =>
        [...tropes.keys()].map((item) => `${category}/${item}`),
      ),
    ),
);

/** Whether the table speaks of this item of a category's rubric at all, for whatever term. */
export const isKnownItem = (category: string, item: string): boolean =>
  knownItems().has(`${category}/${item}`) || notDrawnItem(category, item) !== undefined;

/** The share of a set's images that must show a trope for the set to show it. */
function shareInSet(trope: Trope): number {
  const [kind = "sign"] = Object.keys(trope);
  const { inSet } = table();
  return inSet[kind as keyof typeof inSet];
}

/** How many of `images` must show a trope for the set to show it: at least one. */
export const enoughOf = (trope: Trope, images: number): number =>
  Math.max(1, Math.ceil(shareInSet(trope) * images - 1e-9));

const byName = once(() => {
  const terms = new Map(stereotypedTerms().map((one) => [one.term.toLowerCase(), one]));
  const longest = largestOf([...terms.keys()].map((term) => term.split(" ").length));
  return { terms, longest };
});

/**
 * The first known term in a text, the longest where several begin at one word.
 *
 * @param category only terms of this category, if given
 * @example termIn("a photo of a police officer")?.term // "police officer"
 */
export function termIn(text: string, category?: string): StereotypedTerm | undefined {
  const { terms, longest } = byName();
  const words = text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
  for (const start of words.keys()) {
    for (let length = longest; length > 0; length--) {
      const found = terms.get(words.slice(start, start + length).join(" "));
      if (found !== undefined && (category === undefined || found.category === category)) {
        return found;
      }
    }
  }
  return undefined;
}
