import { z } from "zod";
import { labYaml } from "../package-file.js";

const words = z.array(z.string()).min(1);

const worldSchema = z.strictObject({
  hypernyms: z.record(z.string(), z.string()),
  subjects: z.record(z.string(), z.strictObject({ prototypes: words, others: words })),
  pluralNames: z.array(z.string()),
  places: z.record(z.string(), z.strictObject({ preposition: z.string(), for: words })),
  extras: z.record(
    z.string(),
    z.strictObject({ plural: z.string(), for: words, coloured: z.boolean().default(false) }),
  ),
  colours: words,
  mostOfAKind: z.int().positive(),
});

const world = worldSchema.parse(labYaml("world.yaml"));

export interface Subject {
  readonly kind: string;
  readonly hypernym: string;
  /** One of the members that people name first. */
  readonly prototypical: boolean;
}

export interface ExtraKind {
  readonly kind: string;
  readonly plural: string;
  readonly coloured: boolean;
  /** The hypernyms beside whose members it stands. */
  readonly for: readonly string[];
}

export interface Place {
  readonly name: string;
  /** As a sentence says it: "in a meadow". */
  readonly phrase: string;
  readonly for: readonly string[];
}

/** Every subject the world has a word for, by kind. */
export const subjects: ReadonlyMap<string, Subject> = new Map(
  Object.entries(world.subjects).flatMap(([hypernym, { prototypes, others }]) =>
    [...prototypes, ...others].map((kind) => [
      kind,
      { kind, hypernym, prototypical: prototypes.includes(kind) },
    ]),
  ),
);

export const extraKinds: ReadonlyMap<string, ExtraKind> = new Map(
  Object.entries(world.extras).map(([kind, extra]) => [kind, { kind, ...extra }]),
);

export const places: ReadonlyMap<string, Place> = new Map(
  Object.entries(world.places).map(([name, place]) => [
    name,
    { name, phrase: `${place.preposition} ${name}`, for: place.for },
  ]),
);

/** Hypernym -> its noun phrase: animal -> "an animal". */
export const hypernyms: ReadonlyMap<string, string> = new Map(Object.entries(world.hypernyms));

/** "is", or "are" of a kind whose name is a plural. */
export const verbFor = (kind: string): "is" | "are" =>
  world.pluralNames.includes(kind) ? "are" : "is";

export const colours: readonly string[] = world.colours;
export const mostOfAKind = world.mostOfAKind;
export const numerals = ["zero", "one", "two", "three", "four", "five"] as const;

/** "a dog", "an octopus", "a unicycle", "chopsticks". */
export function withArticle(noun: string): string {
  if (world.pluralNames.includes(noun)) return noun;
  return /^([aeio]|u(?!ni))/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
