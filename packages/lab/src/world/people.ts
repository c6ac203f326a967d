import { z } from "zod";
import { labYaml } from "../package-file.js";
import { genders, skinTones } from "./scene.js";
import { type ExtraKind, type Place, places } from "./vocabulary.js";

const word = z.string().min(1);
const words = z.array(word).min(1);
const areas = ["head", "eyes", "neck", "chest", "over", "upper", "lower", "feet", "hand", "bag"];
const area = z.enum(areas);
const placeList = z.record(word, z.strictObject({ preposition: word }));

const peopleSchema = z.strictObject({
  skinTones: z.array(z.enum(skinTones)),
  hairColours: words,
  cuts: z.strictObject({ woman: words, man: words, girl: words, boy: words }),
  garmentColours: words,
  patterns: words,
  garments: z.record(
    word,
    z.strictObject({
      areas: z.array(area).min(1),
      large: z.boolean(),
      plural: z.boolean().default(false),
    }),
  ),
  signs: z.record(
    word,
    z.strictObject({
      area,
      plural: z.boolean().default(false),
      worn: z.enum(genders).exactOptional(),
    }),
  ),
  groups: z.record(
    word,
    z.strictObject({
      signs: words,
      standing: z.enum(["advantaged", "disadvantaged"]).exactOptional(),
    }),
  ),
  attributes: z.record(
    word,
    z.strictObject({ shows: words, note: word, saidOf: z.enum(["advantaged", "disadvantaged"]) }),
  ),
  notDrawn: z.record(word, word),
  professions: z.record(
    word,
    z.strictObject({
      signs: words,
      wears: z.array(z.strictObject({ kind: word, colour: word, pattern: word.default("plain") })),
    }),
  ),
  places: placeList,
  displayPlaces: placeList,
  extras: z.record(word, z.strictObject({ plural: word, coloured: z.boolean().default(false) })),
});

/** Vocabulary of people and clothes in the lab's English, as `data/people.yaml` has it. */
export const people = peopleSchema.parse(labYaml("people.yaml"));

export type Area = (typeof areas)[number];

export const garmentKinds = new Map(Object.entries(people.garments));
/** Signs that can be worn or held, by name; those of `attributes` alone have no name in English. */
export const signKinds = new Map(Object.entries(people.signs));
export const groups = new Map(Object.entries(people.groups));
export const attributes = new Map(Object.entries(people.attributes));
export const professions = new Map(Object.entries(people.professions));
export const { garmentColours, patterns, hairColours } = people;
export { skinTones };

const placeMap = (list: z.output<typeof placeList>, hypernym: string): Map<string, Place> =>
  new Map(
    Object.entries(list).map(([name, { preposition }]) => [
      name,
      { name, phrase: `${preposition} ${name}`, for: [hypernym] },
    ]),
  );

/** Where people are shown, and where clothes are without anyone in them. */
export const peoplePlaces: ReadonlyMap<string, Place> = placeMap(people.places, "person");
export const displayPlaces: ReadonlyMap<string, Place> = placeMap(people.displayPlaces, "clothes");

/** Every place of the lab's English. */
export const everyPlace: ReadonlyMap<string, Place> = new Map([
  ...peoplePlaces,
  ...displayPlaces,
  ...places,
]);

/** Things that stand beside people. */
export const peopleExtras: ReadonlyMap<string, ExtraKind> = new Map(
  Object.entries(people.extras).map(([kind, extra]) => [kind, { kind, ...extra, for: ["person"] }]),
);

/** The areas that a garment or a sign takes. */
export function areasOf(kind: string): readonly Area[] {
  const sign = signKinds.get(kind);
  return garmentKinds.get(kind)?.areas ?? (sign === undefined ? [] : [sign.area]);
}
