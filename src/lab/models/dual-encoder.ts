import type { ImageEmbedder, ModelIdentity, Picture, TextEmbedder } from "../../core/models.js";
import { once } from "../../core/once.js";
import { keepRecent } from "./keep-recent.js";
import { openOnnxSession } from "./onnx-session.js";
import { pictureTensor } from "./picture-tensor.js";
import { textTensor } from "./text-tensor.js";
import { readSettings } from "./weights.js";

/** The lab's English knows no "A photo depicts". */
const templates = { "clip-score": "{text}" };

/**
 * A dual encoder from a folder in the layout of a Hugging Face CLIP model: config.json,
 * preprocessor_config.json, tokenizer.json, onnx/vision_model.onnx (pixel_values -> image_embeds)
 * and onnx/text_model.onnx (input_ids -> text_embeds). Loaded when first asked.
 */
export function dualEncoder(
  directory: URL,
  identity: () => ModelIdentity,
): ImageEmbedder & TextEmbedder {
  const settings = once(() => readSettings(directory));
  const vision = once(() => openOnnxSession(new URL("onnx/vision_model.onnx", directory)));
  const language = once(() => openOnnxSession(new URL("onnx/text_model.onnx", directory)));

  const imageVector = keepRecent(
    (image: Picture) => image.hash,
    async (image) => {
      const pixels = await pictureTensor(image, (await settings()).image);
      return (await (await vision()).run({ pixel_values: pixels }, "image_embeds")).data;
    },
  );
  const textVector = keepRecent(
    (text: string) => text,
    async (text) => {
      const ids = textTensor(text, (await settings()).text);
      return (await (await language()).run({ input_ids: ids }, "text_embeds")).data;
    },
  );
  return {
    get identity() {
      return identity();
    },
    templates,
    async embedImage(image, options) {
      options?.signal?.throwIfAborted();
      return imageVector(image);
    },
    async embedText(text, options) {
      options?.signal?.throwIfAborted();
      return textVector(text);
    },
  };
}
