import { z } from "zod";
import { withArticles } from "../../core/phrases.js";
import { loadData } from "../load-data.js";

/** The domains of the project's own taxonomy. */
export const domains = ["animals", "objects", "demography"] as const;
/** A domain's name, one of the project's or of a file of one's own. */
export type Domain = string;

export const knobs = ["count", "colour", "layout_relation", "spatial", "scale_size"] as const;
export type Knob = (typeof knobs)[number];

/** One line of words that can stand within a sentence. */
const word = z
  .string()
  .min(1)
  .refine((text) => text === text.trim() && !/[\p{Cc}{}]/u.test(text), {
    error: "expected one line of words without braces and blanks around it",
  });
const knobList = z.array(z.enum(knobs)).min(1);

const pair = z.strictObject({
  nonPrototype: word,
  prototype: word,
  hypernym: word.optional(),
  from: z.enum(["paper", "paper-members", "ours"]).optional(),
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

/** The members of a file that say who stands against whom. */
export const taxonomyMembers = {
  domains: z.record(word, things),
  people: z.record(word, people),
  plurals: z.array(word),
};

export const taxonomySchema = z.strictObject(taxonomyMembers);

/** Who stands against whom, as `data/prototypicality/taxonomy.yaml` has it. */
export type Taxonomy = z.output<typeof taxonomySchema>;

/** The project's taxonomy. */
export const loadTaxonomy = (): Taxonomy =>
  loadData("prototypicality/taxonomy.yaml", taxonomySchema);

/** The names of a taxonomy's domains, in its order, those of people last. */
export const domainsOf = (taxonomy: Taxonomy): readonly Domain[] => [
  ...Object.keys(taxonomy.domains),
  ...Object.keys(taxonomy.people),
];

/** The knobs that are turned in a domain. */
export const knobsOf = ({ domains, people }: Taxonomy, domain: Domain): readonly Knob[] =>
  (domains[domain] ?? people[domain])?.knobs ?? [];

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
 * All pairs of a domain, in the file's order. In one of people each pair of groups is crossed with
 * each attribute and pole: at the positive pole the disadvantaged group is the non-prototype, at
 * the negative pole the advantaged group is (table 4).
 */
export function pairsOf(taxonomy: Taxonomy, domain: Domain): Pair[] {
  const groups = taxonomy.people[domain];
  if (groups !== undefined) return pairsOfPeople(domain, groups);
  const members = taxonomy.domains[domain];
  if (members === undefined) return [];
  const member = (name: string): Member =>
    taxonomy.plurals.includes(name)
      ? { name, phrase: name, plural: true }
      : { name, phrase: withArticles(`a ${name}`) };
  return Object.entries(members.categories).flatMap(([category, { hypernym, pairs }]) =>
    pairs.map(({ nonPrototype, prototype, hypernym: own = hypernym, without }) => ({
      domain,
      category,
      hypernym: member(own),
      nonPrototype: member(nonPrototype),
      prototype: member(prototype),
      knobs: members.knobs,
      without,
    })),
  );
}

function pairsOfPeople(
  domain: Domain,
  { axes, attributes, hypernym, knobs }: z.output<typeof people>,
): Pair[] {
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
            domain,
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
  return Object.values(taxonomy.people).flatMap(({ axes }) =>
    Object.values(axes).flatMap(({ advantaged, disadvantaged }) =>
      [advantaged, ...disadvantaged].flatMap(({ labels }) => labels),
    ),
  );
}
