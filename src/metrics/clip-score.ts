import type { Metric } from "../core/metric.js";
import { type CosineConvention, type CosineOptions, cosineMetric } from "./cosine.js";

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
} as const satisfies Record<string, CosineConvention>;

export type ClipConvention = keyof typeof clipConventions;

/**
 * CLIPScore: how near an image and a text lie in a dual encoder's space.
 *
 * @param options.template what the text is put into; where not given, what the model needs
 *   (`model.templates`), else the convention's own. Give "{text}" to a model that was trained
 *   without such a prefix: the score says so.
 * @throws InputError for an unknown convention, a template without {text}, or a model that embeds
 *   not both images and texts.
 * @example clipScore({ model: transformersJs("Xenova/clip-vit-base-patch16") })
 */
export const clipScore = ({
  convention = "hessel",
  ...of
}: CosineOptions<ClipConvention>): Metric =>
  cosineMetric("clip-score", clipConventions, { ...of, convention });
