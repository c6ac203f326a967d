import type { JsonObject } from "../../core/json.js";
import type { LabelStudioValue } from "../../tables/foreign/label-studio-export.js";
import type { StudyBlock } from "../study.js";

/** A choice: what the export says, and the words that annotators read. */
export interface LabelStudioChoice {
  readonly value: string;
  readonly label: string;
}

/** A question of a labelling configuration, by the tag that asks it. */
export type LabelStudioQuestion = {
  /** Its `from_name`. */
  readonly name: string;
  /** The heading above it. */
  readonly title?: string | undefined;
} & (
  | { readonly kind: "rating"; readonly most: number }
  | { readonly kind: "choices" | "several"; readonly choices: readonly LabelStudioChoice[] }
  /** One of the two sets of images: left or right. */
  | { readonly kind: "pairwise" }
  | { readonly kind: "text" }
);

/** Answers by the question's name. */
export type LabelStudioFields = Readonly<Record<string, LabelStudioValue>>;

/** How a protocol is asked in Label Studio. */
export interface LabelStudioForm {
  /** Members of what the protocol presents, in the order in which they are shown. */
  readonly shown: readonly { readonly name: string; readonly kind: "text" | "images" }[];
  /** The first is required. */
  questions(block: StudyBlock): readonly LabelStudioQuestion[];
  /** An answer, as it would be given to what was shown with the images' numbers as their names. */
  fields(given: JsonObject): LabelStudioFields;
  /** The other way; what doesn't fit is refused by the protocol's own schema. */
  given(fields: LabelStudioFields): JsonObject;
  /** Why a block can't be asked there; undefined where it can. */
  unsaid?(block: StudyBlock): string | undefined;
}
