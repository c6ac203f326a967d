import { readFileSync } from "node:fs";
import { z } from "zod";
import { largestOf } from "../../core/arrays.js";
import { type Hash, hashOf } from "../../core/keys.js";
import { loadYaml } from "../../files/yaml.js";

const words = z.array(z.string().regex(/^[a-z&][a-z'& -]*$/));

const schema = z.strictObject({
  determiners: words,
  numbers: words,
  conjunctions: words,
  connectors: words,
  wearing: words,
  dressing: words,
  persons: words,
  wearables: words,
  places: words,
  holders: words,
  holding: words,
  heldBy: words,
  views: words,
  measures: words,
  colours: words,
  shades: words,
  attributes: z.record(z.string(), words),
  adverbs: words,
  attributesThatAreEntities: words,
  compounds: words,
  masses: words,
  irregularPlurals: words,
  namesInIng: words,
  beyond: words,
});

/** Kind of a word. */
export type WordKind =
  | "determiner"
  | "number"
  | "conjunction"
  | "connector"
  | "view"
  | "measure"
  | "colour"
  | "shade"
  | "attribute"
  | "adverb"
  | "compound"
  | "beyond";

export interface Words {
  /** Words and phrases, with one blank between words, in lower case. */
  readonly kinds: ReadonlyMap<string, WordKind>;
  /** How many words the longest phrase has. */
  readonly longest: number;
  readonly attributesThatAreEntities: ReadonlySet<string>;
  /** Entities that need no determiner. */
  readonly undetermined: ReadonlySet<string>;
  readonly namesInIng: ReadonlySet<string>;
  /** Words between a wearer or carrier and the thing, whoever and whatever they are. */
  readonly wearing: ReadonlySet<string>;
  /** The same, where a person comes before or something wearable after. */
  readonly dressing: ReadonlySet<string>;
  readonly persons: ReadonlySet<string>;
  readonly wearables: ReadonlySet<string>;
  /** Entities that surround whatever else a text names. */
  readonly places: ReadonlySet<string>;
  /** Entities that may hold others. */
  readonly holders: ReadonlySet<string>;
  /** Words between a holder and what it holds. */
  readonly holding: ReadonlySet<string>;
  /** Words between what is held and its holder. */
  readonly heldBy: ReadonlySet<string>;
  readonly hash: Hash;
}

let loaded: Words | undefined;

/** The words of data/decomposer/words.yaml, read when they are first needed. */
export function decomposerWords(): Words {
  loaded ??= readWords(
    readFileSync(new URL("../../../data/decomposer/words.yaml", import.meta.url)),
  );
  return loaded;
}

function readWords(file: Uint8Array): Words {
  const lists = schema.parse(loadYaml().parse(new TextDecoder().decode(file)));
  const byKind: readonly [WordKind, readonly string[]][] = [
    ["determiner", lists.determiners],
    ["number", lists.numbers],
    ["conjunction", lists.conjunctions],
    ["connector", lists.connectors],
    ["view", lists.views],
    ["measure", lists.measures],
    ["attribute", Object.values(lists.attributes).flat()],
    ["colour", lists.colours],
    ["shade", lists.shades],
    ["adverb", lists.adverbs],
    ["compound", lists.compounds],
    ["beyond", lists.beyond],
  ];
  const kinds = new Map(
    byKind.flatMap(([kind, list]) => list.map((word) => [word, kind] as const)),
  );
  return {
    kinds,
    longest: largestOf([...kinds.keys()].map((phrase) => phrase.split(" ").length)),
    attributesThatAreEntities: new Set(lists.attributesThatAreEntities),
    undetermined: new Set([...lists.masses, ...lists.irregularPlurals]),
    namesInIng: new Set(lists.namesInIng),
    wearing: new Set(lists.wearing),
    dressing: new Set(lists.dressing),
    persons: new Set(lists.persons),
    wearables: new Set(lists.wearables),
    places: new Set(lists.places),
    holders: new Set(lists.holders),
    holding: new Set(lists.holding),
    heldBy: new Set(lists.heldBy),
    hash: hashOf(file),
  };
}

/**
 * Whether a noun goes without "a": a plural such as "trousers" or "people", or a mass such as "grass".
 *
 * @example isPluralNoun("denim shorts") // true
 */
export function isPluralNoun(
  noun: string,
  { undetermined }: Pick<Words, "undetermined"> = decomposerWords(),
): boolean {
  const word = noun.toLowerCase();
  const last = word.split(" ").at(-1) ?? word;
  return undetermined.has(word) || undetermined.has(last) || /[^sui]s$/.test(last);
}
