import type { JudgingTask } from "../../core/judging-task.js";

/** What the page of a review queue and its server say to each other: types only. */

/** What a person says of an item, in the words of the task; null where nobody has. */
export type ReviewAnswer = string | number | null;

export interface ReviewCounts {
  readonly items: number;
  readonly answered: number;
}

export interface ReviewDetail {
  readonly id: string;
  readonly name: string;
  readonly task: JudgingTask;
  /** What may be said: a, b or tie; yes or no; or the ratings. */
  readonly choices: readonly (string | number)[];
  readonly counts: ReviewCounts;
}

export interface ReviewCommand {
  /** What fits the judge anew with what people said; null where no judge is named, or it is gone. */
  readonly command: string | null;
}

export interface ReviewItem {
  /** Names it: a hash of what is asked. */
  readonly key: string;
  /** Its line in the file, from 0. */
  readonly place: number;
  readonly text: string;
  /** How many images there are to look at. */
  readonly images: number;
  readonly answer: ReviewAnswer;
}

/** What a window is handed to answer next. */
export interface ReviewHand {
  readonly items: readonly ReviewItem[];
  readonly counts: ReviewCounts;
  /** Whether all that is left is in the hands of other windows, and so in theirs as well. */
  readonly isShared: boolean;
}

export interface ReviewAnswered {
  readonly item: ReviewItem;
  readonly counts: ReviewCounts;
}
