import type { CallOptions, Picture } from "../../core/models.js";
import { once } from "../../core/once.js";
import { keepRecent } from "./keep-recent.js";
import { type FloatTensor, openOnnxSession, type Tensor } from "./onnx-session.js";
import { pictureTensor } from "./picture-tensor.js";
import { textTensor } from "./text-tensor.js";
import { readSettings } from "./weights.js";

/** A model in two halves: one looks at an image, the other reads texts about it. */
export interface LookingModel {
  /**
   * What it has to say of each text, one after another.
   *
   * @param options.beside what the half that reads is given beside the text, by name
   */
  read(
    image: Picture,
    texts: readonly string[],
    options?: CallOptions & { readonly beside?: Readonly<Record<string, Tensor>> },
  ): Promise<FloatTensor[]>;
}

/**
 * A model from a folder that holds config.json, preprocessor_config.json, tokenizer.json,
 * onnx/vision_model.onnx (pixel_values -> features; where config.json says so by `vision_model`,
 * another's) and the half that reads (features, input_ids ->
 * logits, or another output). Loaded when first asked; texts about one image share its features.
 *
 * @param half the file name of the second half, without its ending
 */
export function lookingModel(directory: URL, half: string, output = "logits"): LookingModel {
  const settings = once(() => readSettings(directory));
  const vision = once(async () => openOnnxSession((await settings()).visionModel));
  const reader = once(() => openOnnxSession(new URL(`onnx/${half}.onnx`, directory)));
  const featuresOf = keepRecent(
    (image: Picture) => image.hash,
    async (image) => {
      const pixels = await pictureTensor(image, (await settings()).image);
      return (await vision()).run({ pixel_values: pixels }, "features");
    },
  );
  return {
    async read(image, texts, options) {
      options?.signal?.throwIfAborted();
      const features = await featuresOf(image);
      const { text } = await settings();
      const read: FloatTensor[] = [];
      for (const each of texts) {
        // One at a time: an answer must not depend, in its last digits, on its neighbours.
        const inputs = { ...options?.beside, features, input_ids: textTensor(each, text) };
        read.push(await (await reader()).run(inputs, output));
      }
      return read;
    },
  };
}
