import type { JudgingTask } from "../../core/judging-task.js";

/** Messages between the page of a review queue and its server: types only. */

/** A person's answer to an item, in the words of the task; null without one. */
export type ReviewAnswer = string | number | null;

export interface ReviewCounts {
  readonly items: number;
  readonly answered: number;
}

export interface ReviewDetail {
  readonly id: string;
  readonly name: string;
  readonly task: JudgingTask;
  /** Possible answers: a, b or tie; yes or no; or the ratings. */
  readonly choices: readonly (string | number)[];
  readonly counts: ReviewCounts;
}

export interface ReviewCommand {
  /** Command to refit the judge to answers; null where no judge is named, or it is gone. */
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

/** Items for a window to answer next. */
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

/** What one reviewer said. */
export interface Opinion {
  readonly answer: string | number;
  /** Undefined where they gave no name. */
  readonly by: string | undefined;
  readonly at: string | undefined;
  readonly comment: string | undefined;
}

/** Items that two reviewers answered, neither of whom saw the other's answer, and how many they answer alike. */
export interface ReviewOpinions {
  readonly items: readonly {
    readonly key: string;
    readonly text: string;
    readonly opinions: readonly [first: Opinion, second: Opinion];
    readonly isDifferent: boolean;
  }[];
  readonly equal: number;
}
