import type { Estimate } from "../../stats/estimate.js";
import type { LocalizedCounts, LocalizedScore } from "../../stats/localized-answers.js";
import type { IntervalMethod } from "../inference/intervals.js";

/** Null where undefined. */
export type ScoreNumbers = Readonly<Record<LocalizedScore, number | null>>;

export type Estimates = Readonly<Record<LocalizedScore, Estimate>>;

/** One image's questions and what became of them. */
export interface ImageAttributes extends ScoreNumbers, LocalizedCounts {
  readonly image: string;
  /** Annotator who gave these answers, where the table names any. */
  readonly annotator?: string;
  /** Questions without an answer; with one the image is excluded from all but `bounds`. */
  readonly unscored: number;
}

/** Shares from 0 to 1, null where they are 0 / 0; `intervalsOf` holds intervals and reasons. */
export interface AttributeConclusion {
  readonly threshold: number;
  /** Over the questions of all images together. */
  readonly pooled: ScoreNumbers &
    LocalizedCounts & {
      /** Images left out since a question of theirs has no answer. */
      readonly unscored: number;
    };
  /** The mean over the images of which a score is defined, and how many these are. */
  readonly imageMean: ScoreNumbers & { readonly n: Readonly<Record<LocalizedScore, number>> };
  readonly intervalsOf: { readonly pooled: Estimates; readonly imageMean: Estimates };
  /** Pooled F1 over all images, had every unscored question been answered wrongly, or rightly. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
  readonly images: readonly ImageAttributes[];
  /** Questions behind the pooled numbers. */
  readonly n: number;
  /** Questions without an answer. */
  readonly unscored: number;
  /** Answers of images that another question leaves out. */
  readonly leftOut: number;
  readonly dropped: {
    /** Rows that repeat an earlier one. */
    readonly duplicates: number;
    /** Leakage questions that equal a reflection question of the image. */
    readonly shared: number;
  };
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}
