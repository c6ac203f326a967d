import type { JsonObject } from "../core/json.js";
import type { Hash } from "../core/keys.js";
import type { BlockSettings, StudySettings } from "./config/study-config.js";

/** One item of a block, frozen when the study was created. */
export interface StudyItem {
  /** Unique within its block, its gold and its practice. */
  readonly id: string;
  /** Re-encoded images, in the order that the item's protocol gives them. */
  readonly images: readonly Hash[];
  /** Where each image came from, as the table or the run named it; for exports. */
  readonly sources: readonly string[];
  /** Data that the protocol needs beside images; each protocol says which. */
  readonly content: JsonObject;
  /** The other columns of the table, for exports. Never sent to a browser. */
  readonly beside: JsonObject;
  /** The known answer of a gold or practice item, in the form of a recorded answer. */
  readonly known?: JsonObject | undefined;
  /** Why that is the answer; told after a practice item. */
  readonly feedback?: string | undefined;
}

/** What the filter of the run that a block's items came from left of its pairs of images. */
export interface FilterShare {
  readonly kept: number;
  readonly of: number;
  /** The filter, so that it goes on after "pairs". */
  readonly description: string;
  /** People are asked about all pairs, kept or not. */
  readonly unfiltered: boolean;
}

/** One protocol with its items and settings. */
export interface StudyBlock {
  /** Unique within the study: the protocol's name, numbered where it stands twice. */
  readonly name: string;
  readonly settings: BlockSettings;
  readonly items: readonly StudyItem[];
  readonly gold: readonly StudyItem[];
  /** Answered first, with feedback, in this order; their answers count nowhere. */
  readonly practice?: readonly StudyItem[] | undefined;
  /** Only where the items came from a run with a filter. */
  readonly filter?: FilterShare | undefined;
  /** The file of the judge whose queue its items are, from the root; only where they name one. */
  readonly judge?: string | undefined;
}

/** All items of a block by their ids. */
export const itemsOf = ({
  items,
  gold,
  practice = [],
}: StudyBlock): ReadonlyMap<string, StudyItem> =>
  new Map([...items, ...gold, ...practice].map((item) => [item.id, item]));

/** A text that participants agree to or read. */
export interface StudyText {
  /** 12 hexadecimal digits of the text's SHA-256. */
  readonly version: string;
  readonly text: string;
}

/** A code that passages and notes may be given. */
export interface Code {
  readonly code: string;
  readonly description?: string | undefined;
}

/** A study as it was frozen: all that decides what people see. */
export interface Study {
  readonly id: string;
  readonly settings: StudySettings;
  readonly consent: StudyText;
  readonly debrief?: StudyText | undefined;
  readonly codebook?: readonly Code[] | undefined;
  readonly blocks: readonly StudyBlock[];
}
