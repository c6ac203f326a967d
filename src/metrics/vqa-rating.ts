import type { Metric } from "../core/metric.js";
import type { VisualQuestionAnswering } from "../core/models.js";
import { checkModel } from "./check-model.js";
import { vqaScore } from "./vqa-score.js";

const name = "vqa-rating";

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
  checkModel(options.model, { metric: name, needs: ["VisualQuestionAnswering"] });
  const base = vqaScore(options);
  return {
    ...base,
    name,
    statistic: "1 + 9 P(yes)",
    range: [1, 10],
    async score(input, callOptions) {
      const { value, ...asked } = await base.score(input, callOptions);
      return { value: 1 + 9 * value, ...asked };
    },
  };
}
