import type { CallOptions, Picture } from "./models.js";

export interface MetricInput {
  readonly image: Picture;
  readonly text: string;
}

export interface MetricScore {
  readonly value: number;
  /** The exact question that was asked, for metrics that ask one. */
  readonly question?: string;
}

/**
 * (text, image) -> a number, and everything a reader must know to read that number. A metric is a
 * plain object; one without an answer throws `NoAnswer`.
 */
export interface Metric {
  readonly name: string;
  /** Raised when the same input would give another number. */
  readonly version: number;
  /** Which of several published conventions is followed, such as "hessel". */
  readonly convention?: string;
  /** The wording around the text, with `{text}` where it goes. */
  readonly template?: string;
  /** What the number is, such as "P(yes)" or "cosine". */
  readonly statistic: string;
  /** `provider:model@revision` of the model behind it. */
  readonly model: string;
  readonly range: readonly [low: number, high: number];
  readonly direction: "higher" | "lower";
  score(input: MetricInput, options?: CallOptions): Promise<MetricScore>;
}
