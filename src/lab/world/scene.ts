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

/** What a sentence says: a subject by kind or only by hypernym, and what is around it. */
export interface Description {
  readonly subject: { readonly kind: string } | { readonly hypernym: string };
  readonly place?: string;
  readonly extras: readonly DescribedExtra[];
}

/** An extra as a sentence speaks of it; `count` is said only after "exactly". */
export interface DescribedExtra extends Omit<Extra, "count"> {
  readonly count?: number;
}

/** What is in a picture: kinds, counts and relations, with no word left open. */
export interface Scene {
  readonly subject: string;
  readonly place: string;
  readonly extras: readonly Extra[];
}
