/** Which side of the subject an extra stands on, seen by the viewer. */
export type Side = "left" | "right";
export type Depth = "foreground" | "background";
export type Size = "small" | "large";

/**
 * Extras of one kind. A member that is left out is not said (in a description) or not true of
 * all of them (in a scene).
 */
export interface Extra {
  readonly kind: string;
  readonly count: number;
  readonly colour?: string;
  readonly side?: Side;
  readonly depth?: Depth;
  readonly size?: Size;
}

export const genders = ["woman", "man"] as const;
export type Gender = (typeof genders)[number];
export const ages = ["child", "adult", "older"] as const;
export type Age = (typeof ages)[number];
export const skinTones = ["light", "medium-light", "medium", "medium-dark", "dark"] as const;
export type SkinTone = (typeof skinTones)[number];

/** A garment, worn or by itself. */
export interface Garment {
  readonly kind: string;
  readonly colour: string;
  /** "plain" is one of them. */
  readonly pattern: string;
}

/** A garment as a sentence speaks of it. */
export interface DescribedGarment {
  readonly kind: string;
  readonly colour?: string;
  readonly pattern?: string;
}

/**
 * A person as drawn. Groups, professions and attributes are no members: they are read off the signs,
 * so that two people who look alike are alike.
 */
export interface Person {
  readonly gender: Gender;
  readonly age: Age;
  readonly skin: SkinTone;
  readonly cut: string;
  readonly hair: string;
  readonly beard: boolean;
  readonly garments: readonly Garment[];
  readonly signs: readonly string[];
}

/** A person as a sentence speaks of one. */
export interface DescribedPerson {
  readonly gender?: Gender;
  readonly age?: Age;
  readonly skin?: SkinTone;
  /** A colour of hair, or "bald". */
  readonly hair?: string;
  readonly attribute?: string;
  readonly group?: string;
  readonly profession?: string;
  readonly garments: readonly DescribedGarment[];
  readonly signs: readonly string[];
}

/** Whom or what a sentence is about. `garments`: clothes on display, or anywhere in the picture. */
export type DescribedSubject =
  | { readonly kind: string }
  | { readonly hypernym: string }
  | { readonly person: DescribedPerson }
  | { readonly garments: readonly DescribedGarment[]; readonly onDisplay: boolean };

/** Content of a sentence: a subject by kind or only by hypernym, and what is around it. */
export interface Description {
  readonly subject: DescribedSubject;
  readonly place?: string;
  readonly extras: readonly DescribedExtra[];
}

/** An extra as a sentence speaks of it; `count` is said only after "exactly". */
export interface DescribedExtra extends Omit<Extra, "count"> {
  readonly count?: number;
}

/** Content of a picture: kinds, counts and relations, with no word left open. */
export interface Scene {
  /** A kind; "person" where `person` says who, "clothes" where `display` says which. */
  readonly subject: string;
  readonly place: string;
  readonly extras: readonly Extra[];
  readonly person?: Person;
  /** Clothes with nobody in them, from left to right. */
  readonly display?: readonly Garment[];
}
