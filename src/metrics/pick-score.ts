import type { Metric } from "../core/metric.js";
import { type DualEncoder, modelFacts } from "../core/models.js";
import { checkModel } from "./check-model.js";
import { encodedCosine } from "./cosine.js";
import { checkTemplate, fillTemplate } from "./template.js";

const name = "pick-score";

/** The bound to which CLIP's training holds its scale, and where PickScore's own lies. */
const usualScale = 100;

/**
 * PickScore of a single image: the cosine between image and prompt in a dual encoder that learned
 * from people's picks, times that encoder's own scale (Kirstain et al. 2023, "Pick-a-Pic", section
 * 4), in [-scale, scale]; of an encoder that names no scale 100 is assumed, and `statistic` says so.
 * The probability that people pick one of several images is the softmax of their scores; it belongs
 * to the images together and is no score of one.
 *
 * @param options.template what the prompt is put into; published is the prompt as it is
 * @throws InputError for a template without {text} or a model that embeds not both.
 * @example pickScore({ model: transformersJs("my/pickscore-onnx") })
 */
export function pickScore({
  model,
  template,
}: {
  readonly model: DualEncoder;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["ImageEmbedder", "TextEmbedder"] });
  const wording = checkTemplate(template ?? model.templates?.[name] ?? "{text}");
  const scale = model.logitScale ?? usualScale;
  return {
    name,
    version: 1,
    template: wording,
    statistic: `${scale} cosine${model.logitScale === undefined ? " (scale assumed)" : ""}`,
    ...modelFacts(model.identity),
    range: [-scale, scale],
    direction: "higher",
    async score({ image, text }, options) {
      const asked = { image, text: fillTemplate(wording, text) };
      return { value: scale * (await encodedCosine(model, asked, options)) };
    },
  };
}
