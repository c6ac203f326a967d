import type { Figure } from "./figures/figure.js";
import type { View, ViewTable, Words } from "./view.js";

/** What is found of a run, as data: its verdict, and chapters that show where it comes from. */
export interface Report extends Pick<View, "caveats" | "method"> {
  readonly title: string;
  /** A sentence each, the most important first. */
  readonly verdict: readonly string[];
  /** Whether the lab drew its pictures. */
  readonly isFromLab: boolean;
  /** What its verdict speaks of. */
  readonly figure?: Figure | undefined;
  /** What to look at beside it. */
  readonly example?: Card | undefined;
  /** More to know before the chapters. */
  readonly also?: readonly Part[];
  /** What every reader is told before they use its numbers. */
  readonly notice?: string;
  readonly chapters: readonly Chapter[];
}

export interface Chapter {
  /** Its address within the page. */
  readonly id: string;
  readonly title: string;
  readonly parts: readonly Part[];
}

/** A paragraph, a table, a figure … in the order in which they are read. */
export type Part =
  | Words
  | ViewTable
  | Figure
  | { readonly heading: Words }
  | { readonly items: readonly Words[] }
  | { readonly commands: readonly string[] }
  | { readonly facts: readonly (readonly [term: string, what: Words])[] }
  /** Pictures in a row, and what stands beside them. */
  | { readonly pictures: readonly Picture[]; readonly beside?: readonly Part[] }
  | { readonly cards: readonly Card[]; readonly isWide?: boolean }
  /** Closed until its reader opens it. */
  | { readonly summary: string; readonly parts: readonly Part[] };

/** Pictures of one thing, and what is said of them. */
export interface Card {
  /** Its address within the page. */
  readonly id?: string;
  readonly tags?: readonly string[];
  /** The text that the pictures are for. */
  readonly text?: string;
  /** Its tables are small and have neither title nor note. */
  readonly parts: readonly Part[];
}

export interface Picture {
  /** Undefined where it can't be shown. */
  readonly image:
    | {
        readonly mediaType: string;
        readonly bytes: Uint8Array;
        /** Pixels. */
        readonly width: number;
        readonly height: number;
      }
    | undefined;
  /** What it shows, for who does not see it. */
  readonly alternative: string;
  readonly caption?: Words;
  /** Closed below it. */
  readonly more?: { readonly summary: string; readonly parts: readonly Part[] } | undefined;
}

/** The figure and the tables of a report from which its reader chooses rows. */
export interface Overview {
  readonly figure: Figure;
  readonly tables: readonly ViewTable[];
}
