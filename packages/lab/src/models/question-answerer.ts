import type {
  ModelIdentity,
  VisualQuestionAnswering,
} from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";

/**
 * A yes/no question answerer from a folder as `lookingModel` reads it, with onnx/answer_model.onnx;
 * P(yes) is the sigmoid of the logit.
 */
export function questionAnswerer(
  directory: URL,
  identity: () => ModelIdentity,
  runtime?: Runtime,
): VisualQuestionAnswering {
  const model = lookingModel(directory, "answer_model", { runtime });
  return {
    get identity() {
      return identity();
    },
    async probabilityOfYes(image, questions, options) {
      const read = await model.read(image, questions, options);
      return read.map(({ data: [logit] }) => {
        if (logit === undefined) throw new NoAnswer("unparsable", "The model gave no logit");
        return 1 / (1 + Math.exp(-logit));
      });
    },
  };
}
