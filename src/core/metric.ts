import type { JsonObject } from "./json.js";
import {
  type CallOptions,
  type DescribedEntity,
  type Model,
  modelName,
  type Picture,
} from "./models.js";

export interface MetricInput {
  readonly image: Picture;
  readonly text: string;
  /** What the text is made of, where somebody said it: its entities with their attributes. */
  readonly structure?: readonly DescribedEntity[];
}

export interface MetricScore {
  readonly value: number;
  /** The exact question that was asked, for metrics that ask one. */
  readonly question?: string;
  /** What the number was made of, for those who ask why: each question, each answer. */
  readonly details?: JsonObject;
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
  /** `provider:model@revision` of the model behind it; of several, with " + " between them and,
   * after " / ", the one that takes texts apart. */
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

const between = " + ";
const beforeDecomposer = " / ";

/**
 * What stands for several models together in a metric's `model`.
 *
 * @param decomposer the one that takes texts apart for the others
 */
export const modelNames = (models: readonly Model[], decomposer?: Model): string =>
  [...new Set(models.map(({ identity }) => modelName(identity)))].join(between) +
  (decomposer === undefined ? "" : `${beforeDecomposer}${modelName(decomposer.identity)}`);

/** The names of the models behind a metric: those that look at images, and who takes texts apart. */
export function namedModels({ model }: Pick<MetricDescription, "model">): {
  readonly models: readonly string[];
  readonly decomposer?: string;
} {
  const [models = "", decomposer] = model.split(beforeDecomposer, 2);
  return {
    models: models === "none" ? [] : models.split(between),
    ...(decomposer === undefined ? {} : { decomposer }),
  };
}

/** All of them. */
export function modelsBehind(metric: Pick<MetricDescription, "model">): string[] {
  const { models, decomposer } = namedModels(metric);
  return [...models, ...(decomposer === undefined ? [] : [decomposer])];
}
