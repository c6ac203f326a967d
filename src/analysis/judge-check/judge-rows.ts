/** What a judge of pairs may say: which of an item's two images is better. */
export type Choice = "a" | "b" | "tie";

interface CheckedRow {
  /** The item; rows of one id are repeated answers about it. */
  readonly id: string;
  /** Rows of one prompt are drawn together. */
  readonly prompt?: string | undefined;
  /** Whether the judge declined to answer; its answer is then null. */
  readonly refused?: boolean | undefined;
  /** The kind of a degraded copy that the row is about, as `label degrade` names it. */
  readonly degradation?: string | undefined;
  /** How strong that is; 0 is the image as it is. */
  readonly level?: number | null | undefined;
}

/** A judge's answer about a pair of images; null where it can't be read. */
export interface VoteRow extends CheckedRow {
  readonly vote: Choice | null;
  /** What people say. */
  readonly human?: Choice | null | undefined;
  /** What each of several people says, in the same order in all rows. */
  readonly raters?: readonly (Choice | null)[] | undefined;
  /** What the judge said when the other image was shown first; `a` is still the item's a. */
  readonly swapped?: Choice | null | undefined;
  /** Which image was shown first in `vote`: a, unless it is said. */
  readonly first?: "a" | "b" | undefined;
  /** Who made each image. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

/** A judge's rating of an image; null where it can't be read. */
export interface RatingRow extends CheckedRow {
  readonly rating: number | null;
  /** What people say, on any scale. */
  readonly human?: number | null | undefined;
  readonly raters?: readonly (number | null)[] | undefined;
}

/** An answer, and which image was shown first when it was given. */
export interface SeenAnswer {
  readonly said: Choice;
  readonly first: "a" | "b";
}

/** The one or two answers of a row that can be read. */
export function answersOf({ vote, swapped, first = "a" }: VoteRow): SeenAnswer[] {
  const other = first === "a" ? "b" : "a";
  return [
    ...(vote === null ? [] : [{ said: vote, first }]),
    ...(swapped ? [{ said: swapped, first: other } as const] : []),
  ];
}

/** An answer as seen from one of the images: 1 for it, -1 for the other, 0 for a tie. */
export const signFor = (said: Choice, side: Choice): number =>
  said === "tie" ? 0 : said === side ? 1 : -1;

/** Row numbers by item, in the order of the rows. */
export function rowsById(rows: readonly { readonly id: string }[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, { id }] of rows.entries()) {
    const known = found.get(id);
    if (known === undefined) found.set(id, [at]);
    else known.push(at);
  }
  return found;
}
