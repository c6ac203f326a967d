import {
  type CallOptions,
  type DescribedEntity,
  type Model,
  type ModelFacts,
  modelFacts,
  type Picture,
  type Placed,
  placed,
  placedName,
} from "./models.js";
import type { ScoreParts } from "./score-parts.js";

export interface MetricInput {
  readonly image: Picture;
  readonly text: string;
  /** The text's entities with their attributes, where somebody gave them. */
  readonly structure?: readonly DescribedEntity[];
}

export interface MetricScore extends ScoreParts {
  readonly value: number;
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
  /** The statistic, such as "P(yes)" or "cosine". */
  readonly statistic: string;
  /** `provider:model@revision` of the model behind it; of several, with " + " between them and,
   * after " / ", the one that takes texts apart. */
  readonly model: string;
  /**
   * Where the model is reached, if not on this machine; of several the addresses in the same form,
   * "local" for a model that has none.
   */
  readonly baseUrl?: string;
  readonly range: readonly [low: number, high: number];
  readonly direction: "higher" | "lower";
  /** False where the text changes nothing, as of a metric of beauty alone. */
  readonly needsText?: boolean;
}

/**
 * (text, image) -> a number. A metric is a plain object; one without an answer throws `NoAnswer`.
 */
export interface Metric extends MetricDescription {
  score(input: MetricInput, options?: CallOptions): Promise<MetricScore>;
}

/** A model that says which of two images fits a caption better. */
export interface PairJudge extends ModelFacts {
  /** How much likelier it calls the image shown first better than the second, in [-1, 1]. */
  prefersFirst(
    asked: { readonly caption: string; readonly first: Picture; readonly second: Picture },
    options?: CallOptions,
  ): Promise<number>;
}

/** The same as a score says it of its metric. */
export interface MetricFacts extends Omit<MetricDescription, "name" | "version" | "needsText"> {
  readonly metric: string;
  readonly metricVersion: number;
}

export function metricFacts(described: MetricDescription): MetricFacts {
  const known = factsKnown.get(described);
  if (known !== undefined) return known;
  const { name, version, convention, template, statistic, range, direction } = described;
  const { model, baseUrl } = described;
  const facts: MetricFacts = {
    metric: name,
    metricVersion: version,
    ...(convention === undefined ? {} : { convention }),
    ...(template === undefined ? {} : { template }),
    statistic,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    range,
    direction,
  };
  factsKnown.set(described, facts);
  return facts;
}

/** They are asked for with every score. */
const factsKnown = new WeakMap<MetricDescription, MetricFacts>();

const between = " + ";
const beforeDecomposer = " / ";
const onThisMachine = "local";

/**
 * Identity of several models that a metric uses together.
 *
 * @param decomposer the one that takes texts apart for the others
 */
export function factsOfModels(models: readonly Model[], decomposer?: Model): ModelFacts {
  const distinct = new Map(models.map(({ identity }) => [placedName(identity), identity]));
  const all = [...distinct.values()].map(modelFacts);
  const last = decomposer === undefined ? undefined : modelFacts(decomposer.identity);
  const text = (part: (facts: ModelFacts) => string) =>
    all.map(part).join(between) + (last === undefined ? "" : `${beforeDecomposer}${part(last)}`);
  const isHosted = [...all, ...(last === undefined ? [] : [last])].some(({ baseUrl }) => baseUrl);
  return {
    model: text(({ model }) => model),
    ...(isHosted ? { baseUrl: text(({ baseUrl = onThisMachine }) => baseUrl) } : {}),
  };
}

/** The models behind a metric: those that look at images, and who takes texts apart. */
export function modelsOf({ model, baseUrl }: Placed): {
  readonly models: readonly ModelFacts[];
  readonly decomposer?: ModelFacts;
} {
  const [names = "", decomposer] = model.split(beforeDecomposer, 2);
  const [addresses = "", decomposerAddress] = baseUrl?.split(beforeDecomposer, 2) ?? [];
  const at = addresses.split(between);
  const facts = (name: string, address = onThisMachine): ModelFacts =>
    address === onThisMachine || address === ""
      ? { model: name }
      : { model: name, baseUrl: address };
  return {
    models:
      names === "none" ? [] : names.split(between).map((name, index) => facts(name, at[index])),
    ...(decomposer === undefined ? {} : { decomposer: facts(decomposer, decomposerAddress) }),
  };
}

/** All of them, by name and, where they are not on this machine, address. */
export function modelsBehind(metric: Placed): string[] {
  const { models, decomposer } = modelsOf(metric);
  return [...models, ...(decomposer === undefined ? [] : [decomposer])].map(placed);
}

/** Tells whether a metric's scores are P(yes). */
export const isProbability = ({ statistic }: Pick<Metric, "statistic">): boolean =>
  statistic === "P(yes)";
