import type { Metric } from "../core/metric.js";
import { modelFacts, type VisualQuestionAnswering } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { checkModel } from "./check-model.js";
import { checkTemplate, fillTemplate } from "./template.js";

const name = "vqa-score";
/** The question where neither the caller nor the model has one. */
export const vqaTemplate = 'Does this figure show "{text}"? Please answer yes or no.';

/**
 * VQAScore: the probability with which a visual question answerer says yes to "does this show the
 * text?" (Lin et al. 2024, "Evaluating Text-to-Visual Generation with Image-to-Text Generation",
 * Eq. 2), in [0, 1].
 *
 * @param options.template the question, with {text} where the text goes; where not given, the one
 *   that the model needs (`model.templates`), else the metric's own
 * @throws InputError for a template without {text} or a model that answers no questions.
 * @example vqaScore({ model: labModel("vqa") })
 */
export function vqaScore({
  model,
  template,
}: {
  readonly model: VisualQuestionAnswering;
  readonly template?: string;
}): Metric {
  checkModel(model, { metric: name, needs: ["VisualQuestionAnswering"] });
  const wording = checkTemplate(template ?? model.templates?.[name] ?? vqaTemplate);
  return {
    name,
    version: 1,
    template: wording,
    statistic: "P(yes)",
    ...modelFacts(model.identity),
    range: [0, 1],
    direction: "higher",
    async score({ image, text }, options) {
      const question = fillTemplate(wording, text);
      const [value] = await model.probabilityOfYes(image, [question], options);
      if (value === undefined) throw new NoAnswer("unparsable", "The model gave no probability");
      return { value, question };
    },
  };
}

const ratingName = "vqa-rating";

/**
 * How well an image shows the prompt that it was made from, on the scale of 1 to 10 by which
 * images are filtered (8 and above stay): 1 + 9 P(yes). A model that answers yes or no rates no
 * image; this is its probability on that scale, and the statistic says so.
 *
 * @throws InputError for a template without {text} or a model that answers no questions.
 * @example vqaRating({ model: labModel("filter-vqa") })
 */
export function vqaRating(options: {
  readonly model: VisualQuestionAnswering;
  readonly template?: string;
}): Metric {
  checkModel(options.model, { metric: ratingName, needs: ["VisualQuestionAnswering"] });
  const base = vqaScore(options);
  return {
    ...base,
    name: ratingName,
    statistic: "1 + 9 P(yes)",
    range: [1, 10],
    async score(input, callOptions) {
      const { value, ...asked } = await base.score(input, callOptions);
      return { value: 1 + 9 * value, ...asked };
    },
  };
}
