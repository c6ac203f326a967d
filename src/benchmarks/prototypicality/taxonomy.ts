import { z } from "zod";
import { withArticles } from "../../core/articles.js";
import { loadData } from "../load-data.js";

export const domains = ["animals", "objects", "demography"] as const;
export type Domain = (typeof domains)[number];

export const knobs = ["count", "colour", "layout_relation", "spatial", "scale_size"] as const;
export type Knob = (typeof knobs)[number];

const word = z.string().min(1);
const knobList = z.array(z.enum(knobs)).min(1);

const pair = z.strictObject({
  nonPrototype: word,
  prototype: word,
  from: z.enum(["paper", "paper-members", "ours"]),
  without: z.array(word).default([]),
});

const things = z.strictObject({
  knobs: knobList,
  categories: z.record(word, z.strictObject({ hypernym: word, pairs: z.array(pair).min(1) })),
});

const group = z.strictObject({ name: word, description: word, labels: z.array(word).min(1) });

const people = z.strictObject({
  knobs: knobList,
  hypernym: word,
  axes: z.record(word, z.strictObject({ advantaged: group, disadvantaged: z.array(group).min(1) })),
  attributes: z.record(word, z.strictObject({ positive: word, negative: word })),
});

export const taxonomySchema = z.strictObject({
  animals: things,
  objects: things,
  demography: people,
  plurals: z.array(word),
});

/** Who stands against whom, as `data/prototypicality/taxonomy.yaml` has it. */
export type Taxonomy = z.output<typeof taxonomySchema>;

/** The project's taxonomy. */
export const loadTaxonomy = (): Taxonomy =>
  loadData("prototypicality/taxonomy.yaml", taxonomySchema);

/** One side of a pair: its name, and the noun phrase that puts it into a sentence ("a penguin"). */
export interface Member {
  readonly name: string;
  readonly phrase: string;
  /** Its name is a plural: no article, and a verb to agree with it. */
  readonly plural?: true;
}

/** A socio-attribute said of a person, such as wealth, negative, "poor". */
export interface Attribute {
  readonly name: string;
  readonly pole: "positive" | "negative";
  readonly word: string;
  readonly advantaged: Member;
  readonly disadvantaged: Member;
}

/** A non-prototype against a prototype, under the hypernym that the text names in their place. */
export interface Pair {
  readonly domain: Domain;
  readonly category: string;
  /** As a noun phrase in `phrase`: "an animal", "a rich person". */
  readonly hypernym: Member;
  readonly nonPrototype: Member;
  readonly prototype: Member;
  readonly knobs: readonly Knob[];
  /** Only of people. */
  readonly attribute?: Attribute;
  /** Extras that this pair can't have beside it. */
  readonly without: readonly string[];
}

/**
 * All pairs of a domain, in the file's order. In demography each pair of groups is crossed with
 * each attribute and pole: at the positive pole the disadvantaged group is the non-prototype, at
 * the negative pole the advantaged group is (table 4).
 */
export function pairsOf(taxonomy: Taxonomy, domain: Domain): Pair[] {
  if (domain === "demography") return pairsOfPeople(taxonomy.demography);
  const member = (name: string): Member =>
    taxonomy.plurals.includes(name)
      ? { name, phrase: name, plural: true }
      : { name, phrase: withArticles(`a ${name}`) };
  return Object.entries(taxonomy[domain].categories).flatMap(([category, { hypernym, pairs }]) =>
    pairs.map(({ nonPrototype, prototype, without }) => ({
      domain,
      category,
      hypernym: member(hypernym),
      nonPrototype: member(nonPrototype),
      prototype: member(prototype),
      knobs: taxonomy[domain].knobs,
      without,
    })),
  );
}

function pairsOfPeople({ axes, attributes, hypernym, knobs }: Taxonomy["demography"]): Pair[] {
  return Object.entries(axes).flatMap(([category, { advantaged, disadvantaged }]) =>
    disadvantaged.flatMap((group) =>
      Object.entries(attributes).flatMap(([name, poles]) =>
        (["positive", "negative"] as const).map((pole) => {
          const word = poles[pole];
          const member = (name: string, description: string) => ({
            name,
            phrase: withArticles(`a ${word} ${description}`),
          });
          const privileged = member(advantaged.name, advantaged.description);
          const other = member(group.name, group.description);
          return {
            domain: "demography" as const,
            category,
            hypernym: member(hypernym, hypernym),
            nonPrototype: pole === "positive" ? other : privileged,
            prototype: pole === "positive" ? privileged : other,
            knobs,
            attribute: { name, pole, word, advantaged: privileged, disadvantaged: other },
            without: [],
          };
        }),
      ),
    ),
  );
}

/** Every word that would give a group away in a text that must not name one. */
export function groupLabels(taxonomy: Taxonomy): string[] {
  return Object.values(taxonomy.demography.axes).flatMap(({ advantaged, disadvantaged }) =>
    [advantaged, ...disadvantaged].flatMap(({ labels }) => labels),
  );
}
