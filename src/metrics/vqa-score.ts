import type { Metric } from "../core/metric.js";
import { modelName, type VisualQuestionAnswering } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { checkTemplate, fillTemplate } from "./template.js";

const vqaTemplate = 'Does this figure show "{text}"? Please answer yes or no.';

/**
 * VQAScore: the probability with which a visual question answerer says yes to "does this show the
 * text?" (Lin et al. 2024, "Evaluating Text-to-Visual Generation with Image-to-Text Generation",
 * Eq. 2), in [0, 1].
 *
 * @param options.template the question, with {text} where the text goes
 * @example vqaScore({ model: labModel("vqa") })
 */
export function vqaScore({
  model,
  template = vqaTemplate,
}: {
  readonly model: VisualQuestionAnswering;
  readonly template?: string;
}): Metric {
  checkTemplate(template);
  return {
    name: "vqa-score",
    version: 1,
    template,
    statistic: "P(yes)",
    model: modelName(model.identity),
    range: [0, 1],
    direction: "higher",
    async score({ image, text }, options) {
      const question = fillTemplate(template, text);
      const [value] = await model.probabilityOfYes(image, [question], options);
      if (value === undefined) throw new NoAnswer("unparsable", "The model gave no probability");
      return { value, question };
    },
  };
}
