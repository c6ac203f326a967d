import { asRead } from "../as-read.js";
import { everyPlace, peopleExtras } from "./people.js";
import { garmentPhrases, personPhrase, readPeople } from "./people-english.js";
import { Reader } from "./reader.js";
import type { DescribedExtra, Description, Side } from "./scene.js";
import {
  colours,
  extraKinds,
  hypernyms,
  mostOfAKind,
  numerals,
  subjects,
  verbFor,
  withArticle,
} from "./vocabulary.js";

/**
 * The lab's English, a grammar small enough that each sentence has one meaning:
 *
 *   sentence = subject ["is" | "are" place] [phrase {"and" phrase}] "."
 *   subject  = "A dog" | "An animal" | … | person | clothes "on display" | clothes
 *   phrase   = "to the" side "of" article [colour] extra
 *            | "with" items ["in the" depth]
 *   items    = "exactly" numeral [colour] extras | article [size] [colour] extra *
 * People and clothes are in people-english.ts. "A dog is in a meadow to the left of a tree." says where the dog is: the tree is on its right.
 * What else it reads, and as what, is `asRead`.
 */
export function describe(description: Description): string {
  const phrases = description.extras.map(phraseOf);
  const { subject } = description;
  const verb = "kind" in subject ? verbFor(subject.kind) : "is";
  const words = [
    subjectPhrase(subject),
    ...(description.place === undefined ? [] : [verb, placePhrase(description.place)]),
    ...(phrases.length === 0 ? [] : [phrases.join(" and ")]),
  ].join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export function subjectPhrase(subject: Description["subject"]): string {
  if ("kind" in subject) return withArticle(subject.kind);
  if ("hypernym" in subject) return hypernyms.get(subject.hypernym) ?? "";
  if ("person" in subject) return personPhrase(subject.person);
  return `${garmentPhrases(subject.garments)}${subject.onDisplay ? " on display" : ""}`;
}

export const placePhrase = (place: string): string => everyPlace.get(place)?.phrase ?? place;

function phraseOf(extra: DescribedExtra): string {
  if (extra.side !== undefined) {
    return `to the ${opposite(extra.side)} of ${itemPhrase(extra)}`;
  }
  const depth = extra.depth === undefined ? "" : ` in the ${extra.depth}`;
  return `with ${itemPhrase(extra)}${depth}`;
}

/** "exactly two red flowers", "a small lamp". */
export function itemPhrase(
  extra: Pick<DescribedExtra, "kind" | "count" | "size" | "colour">,
): string {
  const adjectives = [extra.size, extra.colour].filter((word) => word !== undefined);
  if (extra.count === undefined) return withArticle([...adjectives, extra.kind].join(" "));
  return `exactly ${[numerals[extra.count], ...adjectives, nounFor(extra.kind, extra.count)].join(" ")}`;
}

/** "rock" or "rocks". */
export const nounFor = (kind: string, count: number): string =>
  count === 1 ? kind : ((extraKinds.get(kind) ?? peopleExtras.get(kind))?.plural ?? kind);

const opposite = (side: Side): Side => (side === "left" ? "right" : "left");

/**
 * Parses a sentence of the lab's English.
 *
 * @throws NotInLabEnglish naming the first words that fit nowhere.
 * @example parseSentence("An animal is in the snow with exactly two rocks.")
 *   // { subject: { hypernym: "animal" }, place: "snow", extras: [{ kind: "rock", count: 2 }] }
 */
export function parseSentence(sentence: string): Description {
  const text = asRead(sentence)
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/,/g, " ,")
    .replace(/\s+/g, " ");
  const reader = new Reader(text, sentence);
  const subject =
    reader.maybeOneOf(subjectPhrases) ?? readPeople(reader) ?? reader.fail("a subject");
  const place = reader.word("is") ? reader.oneOf(placePhrases, "a place") : undefined;
  const extras: DescribedExtra[] = [];
  while (!reader.atEnd()) {
    if (extras.length > 0) reader.expect("and");
    extras.push(readPhrase(reader));
  }
  return { subject, ...(place === undefined ? {} : { place }), extras };
}

function readPhrase(reader: Reader): DescribedExtra {
  if (reader.word("with")) {
    const item = readItem(reader);
    if (!reader.word("in the")) return item;
    return { ...item, depth: reader.oneOf(depths, "foreground or background") };
  }
  reader.expect("to the");
  const side = reader.oneOf(sides, "left or right");
  reader.expect("of");
  return { ...readItem(reader), side: opposite(side) };
}

function readItem(reader: Reader): DescribedExtra {
  const count = reader.word("exactly") ? reader.oneOf(counts, "a numeral") : undefined;
  if (count === undefined && !reader.word("an") && !reader.word("a")) reader.expect("a");
  const size = reader.maybeOneOf(sizes);
  const colour = reader.maybeOneOf(colourWords);
  const kind = reader.oneOf(
    count === undefined || count === 1 ? nouns : plurals,
    "an extra object",
  );
  return {
    kind,
    ...(count === undefined ? {} : { count }),
    ...(size === undefined ? {} : { size }),
    ...(colour === undefined ? {} : { colour }),
  };
}

const identity = <const T extends string>(...items: readonly T[]) =>
  new Map(items.map((item) => [item as string, item]));

const subjectPhrases = new Map<string, Description["subject"]>([
  ...[...hypernyms].map(([hypernym, phrase]) => [phrase, { hypernym }] as const),
  ...[...subjects.keys()].map((kind) => [withArticle(kind), { kind }] as const),
]);
const placePhrases = new Map([...everyPlace.values()].map(({ phrase, name }) => [phrase, name]));
const depths = identity("foreground", "background");
const sides = identity("left", "right");
const sizes = identity("small", "large");
const colourWords = identity(...colours);
const counts = new Map(
  numerals.slice(1, mostOfAKind + 1).map((word, index) => [word as string, index + 1]),
);
const everyExtra = [...extraKinds.values(), ...peopleExtras.values()];
const nouns = identity(...everyExtra.map(({ kind }) => kind));
const plurals = new Map(everyExtra.map(({ plural, kind }) => [plural, kind]));

export { NotInLabEnglish } from "./reader.js";
