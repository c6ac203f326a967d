import type { Hash, Key } from "../core/keys.js";
import type { UnscoredReason } from "../core/unscored.js";

/** Item to judge, stored in the run: two images of a caption, or one and what is asked about it. */
export interface ItemToJudge {
  /** Its id: no two of a run share it. */
  readonly id: string;
  /** The caption, the question, or the text that the image is held against. */
  readonly text: string;
  /** a and b of a pair, else one. */
  readonly images: readonly Hash[];
}

/** One prompt's answer to one item in one trial. */
export interface PromptAnswer {
  /** The item, as it was then. */
  readonly item: ItemToJudge;
  readonly prompt: string;
  /** Its words: see `wordingKey`. */
  readonly wording: Key;
  /** As an answer of its kind has them: P(label is 1), or P of each rating. Or why there is none. */
  readonly said: readonly number[] | UnscoredReason;
}
