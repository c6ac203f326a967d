import type { Metric } from "../core/metric.js";
import { type ImageEmbedder, modelFacts, type TextEmbedder } from "../core/models.js";
import { checkModel } from "./check-model.js";
import { checkConvention } from "./convention.js";
import { encodedCosine } from "./cosine.js";
import { checkTemplate, fillTemplate } from "./template.js";

/**
 * The scales on which HPS v2 is published (Wu et al. 2023, "Human Preference Score v2"):
 * - `v2`: the cosine itself, as its `score` returns it, in [-1, 1];
 * - `v2-benchmark`: 100 cosine, as its benchmark tables print it, in [-100, 100].
 * Neither is multiplied by the encoder's logit scale, which only its ranking loss uses.
 */
export const hpsConventions = {
  v2: { factor: 1, statistic: "cosine" },
  "v2-benchmark": { factor: 100, statistic: "100 cosine" },
} as const;

export type HpsConvention = keyof typeof hpsConventions;

const name = "hps";

/**
 * Human Preference Score v2: the cosine between image and prompt in a dual encoder that learned
 * from people's rankings.
 *
 * @param options.template what the prompt is put into; published is the prompt as it is
 * @throws InputError for an unknown convention, a template without {text} or a model that embeds
 *   not both.
 * @example hps({ model: transformersJs("my/hps-v2-onnx") })
 */
export function hps({
  model,
  convention = "v2",
  template,
}: {
  readonly model: ImageEmbedder & TextEmbedder;
  readonly convention?: HpsConvention;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["ImageEmbedder", "TextEmbedder"] });
  checkConvention(hpsConventions, convention, name);
  const { factor, statistic } = hpsConventions[convention];
  const wording = checkTemplate(template ?? model.templates?.[name] ?? "{text}");
  return {
    name,
    version: 1,
    convention,
    template: wording,
    statistic,
    ...modelFacts(model.identity),
    range: [-factor, factor],
    direction: "higher",
    async score({ image, text }, options) {
      const asked = { image, text: fillTemplate(wording, text) };
      return { value: factor * (await encodedCosine(model, asked, options)) };
    },
  };
}
