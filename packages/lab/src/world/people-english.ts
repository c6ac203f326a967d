import {
  areasOf,
  attributes,
  garmentColours,
  garmentKinds,
  groups,
  hairColours,
  patterns,
  people,
  professions,
  signKinds,
  skinTones,
} from "./people.js";
import type { Reader } from "./reader.js";
import type { Age, DescribedGarment, DescribedPerson, DescribedSubject, Gender } from "./scene.js";

/*
 * Grammar of people and clothes in the lab's English:
 *
 *   person  = ["a photo of" | "photo of"] article {adjective} noun ["wearing" things] ["and"] ["holding" things]
 *   noun    = "person" | "woman" | "man" | "child" | "girl" | "boy" | "nurse" | …
 *   adjective = "poor" | "older" | "female" | "male" | "dark-skinned" | "grey-haired" | "bald" | "Muslim" | …
 *   things  = thing {"," thing} ["and" thing]
 *   thing   = [article] [pattern] [colour] garment | [article] sign
 */

/** "a poor Muslim person wearing a crescent necklace". */
export function personPhrase(person: DescribedPerson): string {
  const { gender, age, skin, hair, attribute, group, profession, garments, signs } = person;
  const noun = profession ?? nounOf(gender, age);
  const words = [
    attribute,
    age === "child" ? undefined : age,
    profession !== undefined && age === "child" ? "young" : undefined,
    profession === undefined || gender === undefined ? undefined : femaleOrMale[gender],
    skin === undefined ? undefined : `${skin}-skinned`,
    hair === undefined ? undefined : hair === "bald" ? hair : `${hair}-haired`,
    group,
    noun,
  ].filter((word) => word !== undefined);
  const held = signs.filter(isHeld).map(signPhrase);
  const worn = [
    ...garments.map(garmentPhrase),
    ...signs.filter((sign) => !isHeld(sign)).map(signPhrase),
  ];
  return [
    withIndefinite(words.join(" ")),
    ...(worn.length === 0 ? [] : [`wearing ${listed(worn)}`]),
    ...(held.length === 0 ? [] : [`${worn.length === 0 ? "" : "and "}holding ${listed(held)}`]),
  ].join(" ");
}

const femaleOrMale: Readonly<Record<Gender, string>> = { woman: "female", man: "male" };

function nounOf(gender: Gender | undefined, age: Age | undefined): string {
  if (age === "child") return gender === undefined ? "child" : gender === "woman" ? "girl" : "boy";
  return gender ?? "person";
}

const isHeld = (sign: string): boolean => areasOf(sign).includes("hand");

/** "a tie", "glasses". */
export const signPhrase = (sign: string): string =>
  signKinds.get(sign)?.plural === true ? sign : withIndefinite(sign);

/** "a striped red skirt", "plain blue trousers". */
export function garmentPhrase({ kind, colour, pattern }: DescribedGarment): string {
  const phrase = [pattern, colour, kind].filter((word) => word !== undefined).join(" ");
  return garmentKinds.get(kind)?.plural === true ? phrase : withIndefinite(phrase);
}

/** "a striped skirt and a plaid jacket". */
export const garmentPhrases = (garments: readonly DescribedGarment[]): string =>
  listed(garments.map(garmentPhrase));

/** "a", "a and b", "a, b and c". */
const listed = (phrases: readonly string[]): string =>
  [phrases.slice(0, -1).join(", "), ...phrases.slice(-1)]
    .filter((part) => part !== "")
    .join(" and ");

/** "an older man", "an honest woman", "a uniform". */
const withIndefinite = (phrase: string): string =>
  /^([aeio]|honest|lgbtq)/i.test(phrase) ? `an ${phrase}` : `a ${phrase}`;

/** Reads people or clothes; undefined, and nothing read, where something else comes next. */
export function readPeople(reader: Reader): DescribedSubject | undefined {
  const person = reader.attempt(() => readPerson(reader));
  if (person !== undefined) return { person };
  const first = reader.attempt(() => readGarment(reader));
  if (first === undefined) return undefined;
  const garments = [first];
  for (let next = readNext(reader, readGarment); next !== undefined; ) {
    garments.push(next);
    next = readNext(reader, readGarment);
  }
  return { garments, onDisplay: reader.word("on display") };
}

function readPerson(reader: Reader): DescribedPerson | undefined {
  // As the queries of a stereotype audit begin; it says nothing of who is in the picture.
  if (!reader.word("a photo of")) reader.word("photo of");
  readArticle(reader);
  const said: Partial<DescribedPerson>[] = [];
  for (let one = reader.maybeOneOf(adjectives); one !== undefined; ) {
    said.push(one);
    one = reader.maybeOneOf(adjectives);
  }
  const noun = reader.maybeOneOf(personNouns);
  if (noun === undefined) return undefined;
  const garments: DescribedGarment[] = [];
  const signs: string[] = [];
  const add = (thing: Thing): void => {
    if (typeof thing === "string") signs.push(thing);
    else garments.push(thing);
  };
  const readList = (): void => {
    const first = readThing(reader);
    add(first ?? reader.fail("something to wear or to hold"));
    for (let next = readNext(reader, readThing); next !== undefined; ) {
      add(next);
      next = readNext(reader, readThing);
    }
  };
  if (reader.word("wearing")) readList();
  if (reader.word("and holding") || reader.word("holding")) readList();
  return Object.assign({}, ...said, noun, { garments, signs });
}

type Thing = DescribedGarment | string;

function readNext<T>(reader: Reader, read: (reader: Reader) => T | undefined): T | undefined {
  return reader.attempt(() => (reader.word(",") || reader.word("and") ? read(reader) : undefined));
}

function readThing(reader: Reader): Thing | undefined {
  const sign = reader.attempt(() => {
    readArticle(reader);
    return reader.maybeOneOf(signNames);
  });
  return sign ?? reader.attempt(() => readGarment(reader));
}

function readGarment(reader: Reader): DescribedGarment | undefined {
  readArticle(reader);
  const pattern = reader.maybeOneOf(patternWords);
  const colour = reader.maybeOneOf(colourWords);
  // "a red striped skirt" is as good.
  const late = pattern ?? reader.maybeOneOf(patternWords);
  const kind = reader.maybeOneOf(garmentNouns);
  if (kind === undefined) return undefined;
  return {
    kind,
    ...(colour === undefined ? {} : { colour }),
    ...(late === undefined ? {} : { pattern: late }),
  };
}

const readArticle = (reader: Reader): boolean => reader.word("an") || reader.word("a");

const byLowerCase = (names: Iterable<string>): Map<string, string> =>
  new Map([...names].map((name) => [name.toLowerCase(), name]));

const signNames = byLowerCase(signKinds.keys());
const garmentNouns = byLowerCase(garmentKinds.keys());
const colourWords = byLowerCase(garmentColours);
const patternWords = byLowerCase(patterns);

const personNouns = new Map<string, Partial<DescribedPerson>>([
  ["person", {}],
  ["woman", { gender: "woman" }],
  ["man", { gender: "man" }],
  ["child", { age: "child" }],
  ["girl", { age: "child", gender: "woman" }],
  ["boy", { age: "child", gender: "man" }],
  ...[...professions.keys()].map((name) => [name.toLowerCase(), { profession: name }] as const),
]);

const adjectives = new Map<string, Partial<DescribedPerson>>([
  ["older", { age: "older" }],
  ["adult", { age: "adult" }],
  ["young", { age: "child" }],
  ["female", { gender: "woman" }],
  ["male", { gender: "man" }],
  ["bald", { hair: "bald" }],
  ...skinTones.map((skin) => [`${skin}-skinned`, { skin }] as const),
  ...hairColours.map((hair) => [`${hair}-haired`, { hair }] as const),
  ...[...attributes.keys()].map((attribute) => [attribute.toLowerCase(), { attribute }] as const),
  ...[...groups.keys()].map((group) => [group.toLowerCase(), { group }] as const),
]);

/** The words of people and clothes, as a writer of sentences has them. */
export const peopleWords = (): string[] => [
  ...personNouns.keys(),
  ...adjectives.keys(),
  ...signNames.keys(),
  ...garmentNouns.keys(),
  ...colourWords.keys(),
  ...patternWords.keys(),
  "wearing holding on display photo",
];

/** The attribute of which the lab draws no sign, where a sentence has one. */
export const notDrawnIn = (sentence: string): string | undefined =>
  Object.keys(people.notDrawn).find((word) => new RegExp(`\\b${word}\\b`, "i").test(sentence));
