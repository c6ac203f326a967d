import { once } from "touchstone-t2i/internal/core/cache.js";
import { z } from "zod";
import { labYaml } from "../package-file.js";

const word = z.string().min(1);

/** The members of data/people.yaml that words need; what can be drawn is none of a judge's business. */
const schema = z.object({
  skinTones: z.array(word),
  hairColours: z.array(word),
  garments: z.record(word, z.object({ areas: z.array(word), plural: z.boolean().default(false) })),
  signs: z.record(word, z.object({ area: word, plural: z.boolean().default(false) })),
  groups: z.record(word, z.object({ signs: z.array(word) })),
  attributes: z.record(word, z.object({ shows: z.array(word) })),
  places: z.record(word, z.object({ preposition: word })),
  extras: z.record(word, z.object({ plural: word })),
});

const people = once(() => schema.parse(labYaml("people.yaml")));

export const skinTones = (): readonly string[] => people().skinTones;
export const hairColours = (): readonly string[] => people().hairColours;
export const extraKinds = (): readonly string[] => Object.keys(people().extras);
export const placeNames = (): readonly string[] => Object.keys(people().places);

export const signVocabulary = (): readonly string[] => Object.keys(people().signs);

/** Signs that show a group, any of one list, or an attribute, each by itself; none for another word. */
export function signsOf(kind: "group" | "attribute", name = ""): readonly (readonly string[])[] {
  if (kind === "attribute") return (people().attributes[name]?.shows ?? []).map((sign) => [sign]);
  const group = people().groups[name];
  return group === undefined ? [] : [group.signs];
}

/** "a tie", "an apron", "glasses", "boots". */
export function thingPhrase(thing: string, adjectives: readonly string[] = []): string {
  const phrase = [...adjectives, thing].join(" ");
  return isPlural(thing) ? phrase : withArticle(phrase);
}

export const isPluralGarment = (thing: string): boolean =>
  people().garments[thing]?.plural === true;

const isPlural = (thing: string): boolean =>
  isPluralGarment(thing) || people().signs[thing]?.plural === true;

/** "in a park". */
export const placePhrase = (place: string): string =>
  `${people().places[place]?.preposition ?? "in a"} ${place}`;

/** Where on a person a garment or a sign is: "head", "hand", …. */
export function areasOfThing(thing: string): readonly string[] {
  const sign = people().signs[thing];
  return people().garments[thing]?.areas ?? (sign === undefined ? [] : [sign.area]);
}

export const withArticle = (phrase: string): string =>
  /^([aeio]|honest)/i.test(phrase) ? `an ${phrase}` : `a ${phrase}`;
