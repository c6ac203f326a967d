import type { Metric } from "../core/metric.js";
import { type ImageEmbedder, modelName, type TextEmbedder } from "../core/models.js";
import { cosine } from "./cosine.js";
import { checkTemplate, fillTemplate } from "./template.js";

interface Convention {
  readonly template: string;
  readonly statistic: string;
  readonly range: readonly [number, number];
  of(cosine: number): number;
}

/**
 * The published ways to make a number of the cosine between an image and a text:
 * - `hessel`: 2.5 max(cos, 0) after the prefix "A photo depicts" (Hessel et al. 2021, "CLIPScore",
 *   Eq. 1 and section 3), in [0, 2.5];
 * - `cosine`: the cosine itself without a prefix, in [-1, 1]; nothing is cut off;
 * - `percent`: 100 max(cos, 0) without a prefix, as TorchMetrics prints it, in [0, 100].
 */
export const clipConventions = {
  hessel: {
    template: "A photo depicts {text}",
    statistic: "2.5 max(cosine, 0)",
    range: [0, 2.5],
    of: (value) => 2.5 * Math.max(value, 0),
  },
  cosine: { template: "{text}", statistic: "cosine", range: [-1, 1], of: (value) => value },
  percent: {
    template: "{text}",
    statistic: "100 max(cosine, 0)",
    range: [0, 100],
    of: (value) => 100 * Math.max(value, 0),
  },
} as const satisfies Record<string, Convention>;

export type ClipConvention = keyof typeof clipConventions;

/**
 * CLIPScore: how near an image and a text lie in a dual encoder's space.
 *
 * @param options.template what the text is put into; the convention's own where not given. Give
 *   "{text}" to a model that was trained without such a prefix: the score says so.
 * @example clipScore({ model: transformersJs("Xenova/clip-vit-base-patch16") })
 */
export function clipScore({
  model,
  convention = "hessel",
  template = clipConventions[convention].template,
}: {
  readonly model: ImageEmbedder & TextEmbedder;
  readonly convention?: ClipConvention;
  readonly template?: string;
}): Metric {
  const { statistic, range, of } = clipConventions[convention];
  checkTemplate(template);
  return {
    name: "clip-score",
    version: 1,
    convention,
    template,
    statistic,
    model: modelName(model.identity),
    range,
    direction: "higher",
    async score({ image, text }, options) {
      const imageVector = await model.embedImage(image, options);
      const textVector = await model.embedText(fillTemplate(template, text), options);
      return { value: of(cosine(imageVector, textVector)) };
    },
  };
}
