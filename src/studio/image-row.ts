import type { RecordPosition } from "../core/record-store.js";
import type { UnscoredReason } from "../core/unscored.js";

/** An image's record as the index keeps it. */
export interface ImageRow {
  readonly key: string;
  readonly attempt: number;
  readonly image: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly text: string;
  readonly role: string;
  readonly sample: number;
  readonly generator: string;
  /** The key of what it was made for. */
  readonly prompt: string;
  readonly reason: UnscoredReason | null;
  /** Where its line stands. */
  readonly place: RecordPosition;
  /** The place of its step in the recipe. */
  readonly step: number;
}

/** Origin of an image: a prompt, a description, a pair or a query. */
export interface Origin {
  readonly kind: "prompt" | "description" | "pair" | "query";
  readonly domain: string | null;
  /** Text its metrics hold the images against. */
  readonly text: string | null;
  readonly swapped: string | null;
}
