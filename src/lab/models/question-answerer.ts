import type { ModelIdentity, Picture, VisualQuestionAnswering } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { keepRecent } from "./keep-recent.js";
import { once } from "./once.js";
import { openOnnxSession } from "./onnx-session.js";
import { pictureTensor } from "./picture-tensor.js";
import { textTensor } from "./text-tensor.js";
import { readSettings } from "./weights.js";

/**
 * A yes/no question answerer from a folder that holds config.json, preprocessor_config.json,
 * tokenizer.json, onnx/vision_model.onnx (pixel_values -> features) and onnx/answer_model.onnx
 * (features, input_ids -> logits); P(yes) is the sigmoid of the logit. Loaded when first asked.
 */
export function questionAnswerer(
  directory: URL,
  identity: () => ModelIdentity,
): VisualQuestionAnswering {
  const settings = once(() => readSettings(directory));
  const vision = once(() => openOnnxSession(new URL("onnx/vision_model.onnx", directory)));
  const answerer = once(() => openOnnxSession(new URL("onnx/answer_model.onnx", directory)));

  const featuresOf = keepRecent(
    (image: Picture) => image.hash,
    async (image) => {
      const pixels = await pictureTensor(image, (await settings()).image);
      return (await vision()).run({ pixel_values: pixels }, "features");
    },
  );
  return {
    get identity() {
      return identity();
    },
    async probabilityOfYes(image, questions, options) {
      options?.signal?.throwIfAborted();
      const features = await featuresOf(image);
      const { text } = await settings();
      const probabilities: number[] = [];
      for (const question of questions) {
        // One at a time: an answer must not depend, in its last digits, on its neighbours.
        const inputs = { features, input_ids: textTensor(question, text) };
        const [logit] = (await (await answerer()).run(inputs, "logits")).data;
        if (logit === undefined) throw new NoAnswer("unparsable", "The model gave no logit");
        probabilities.push(1 / (1 + Math.exp(-logit)));
      }
      return probabilities;
    },
  };
}
