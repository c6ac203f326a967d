import type { Metric } from "../core/metric.js";
import {
  type CallOptions,
  type ImageEmbedder,
  modelFacts,
  type Picture,
  type TextEmbedder,
} from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { checkModel } from "./check-model.js";
import { checkConvention, checkTemplate, fillTemplate } from "./template.js";

/**
 * The cosine of the angle between two vectors, in [-1, 1], computed in 64 bits.
 *
 * @throws NoAnswer "unparsable" where there is none: lengths that differ, a vector of zeros or one
 *   that holds something that is not a number.
 * @example cosine(Float32Array.of(1, 0), Float32Array.of(2, 2)) // 0.7071067811865475
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new NoAnswer(
      "unparsable",
      `Expected embeddings of one length but received ${a.length} numbers for the image and ` +
        `${b.length} for the text`,
    );
  }
  let product = 0;
  let squaresOfA = 0;
  let squaresOfB = 0;
  for (let index = 0; index < a.length; index++) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  const value = product / (Math.sqrt(squaresOfA) * Math.sqrt(squaresOfB));
  if (!Number.isFinite(value)) {
    throw new NoAnswer("unparsable", "An embedding has no direction: it is zero or not finite");
  }
  // Rounding may put the cosine of a vector with itself a hair above 1.
  return Math.min(1, Math.max(-1, value));
}

/**
 * The cosine between an image and a text in a dual encoder's space, in [-1, 1]. Both are asked for before either
 * fails, so that who counts calls in advance counts both.
 */
export async function encodedCosine(
  model: ImageEmbedder & TextEmbedder,
  { image, text }: { readonly image: Picture; readonly text: string },
  options?: CallOptions,
): Promise<number> {
  const [imageVector, textVector] = await Promise.allSettled([
    model.embedImage(image, options),
    model.embedText(text, options),
  ]);
  if (imageVector.status === "rejected") throw imageVector.reason;
  if (textVector.status === "rejected") throw textVector.reason;
  return cosine(imageVector.value, textVector.value);
}

/** A published way to make a score of a cosine. */
export interface CosineConvention {
  readonly template: string;
  readonly statistic: string;
  readonly range: readonly [number, number];
  of(cosine: number): number;
}

/** What a metric of a dual encoder is made of: the template is the model's own or the convention's where not given. */
export interface CosineOptions<Convention extends string> {
  readonly model: ImageEmbedder & TextEmbedder;
  readonly convention?: Convention;
  readonly template?: string;
}

/**
 * A metric that is the cosine between image and text by one of its conventions.
 *
 * @throws InputError for an unknown convention, a template without {text}, or a model that embeds not both.
 */
export function cosineMetric<Convention extends string>(
  name: string,
  conventions: Readonly<Record<Convention, CosineConvention>>,
  { model, convention, template }: CosineOptions<Convention> & { readonly convention: Convention },
): Metric {
  checkModel(model, { metric: name, needs: ["ImageEmbedder", "TextEmbedder"] });
  checkConvention(conventions, convention, name);
  const { statistic, range, of, ...published } = conventions[convention];
  const wording = checkTemplate(template ?? model.templates?.[name] ?? published.template);
  return {
    name,
    version: 1,
    convention,
    template: wording,
    statistic,
    ...modelFacts(model.identity),
    range,
    direction: "higher",
    async score({ image, text }, options) {
      const asked = { image, text: fillTemplate(wording, text) };
      return { value: of(await encodedCosine(model, asked, options)) };
    },
  };
}
