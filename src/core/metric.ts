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

/** Everything a reader must know to read a metric's numbers. */
export interface MetricDescription {
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
}

/**
 * (text, image) -> a number. A metric is a plain object; one without an answer throws `NoAnswer`.
 */
export interface Metric extends MetricDescription {
  score(input: MetricInput, options?: CallOptions): Promise<MetricScore>;
}

/** The same as a score says it of its metric. */
export interface MetricFacts extends Omit<MetricDescription, "name" | "version"> {
  readonly metric: string;
  readonly metricVersion: number;
}

export function metricFacts(described: MetricDescription): MetricFacts {
  const { name, version, convention, template, statistic, model, range, direction } = described;
  return {
    metric: name,
    metricVersion: version,
    ...(convention === undefined ? {} : { convention }),
    ...(template === undefined ? {} : { template }),
    statistic,
    model,
    range,
    direction,
  };
}
