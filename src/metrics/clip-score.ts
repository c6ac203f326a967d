import type { Metric } from "../core/metric.js";
import { type ImageEmbedder, modelFacts, type TextEmbedder } from "../core/models.js";
import { checkModel } from "./check-model.js";
import { checkConvention } from "./convention.js";
import { encodedCosine } from "./cosine.js";
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

const name = "clip-score";

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
export function clipScore({
  model,
  convention = "hessel",
  template,
}: {
  readonly model: ImageEmbedder & TextEmbedder;
  readonly convention?: ClipConvention;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["ImageEmbedder", "TextEmbedder"] });
  checkConvention(clipConventions, convention, name);
  const { statistic, range, of, ...published } = clipConventions[convention];
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
