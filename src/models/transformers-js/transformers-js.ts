import type { DualEncoder } from "../../core/models.js";
import { dualEncoder, type EncoderOptions, type LoadedEncoder } from "./dual-encoder.js";
import { type Loadable, onceLoaded, type TransformersJsOptions } from "./loading.js";

export type { TransformersJsOptions };

/**
 * A CLIP model on this machine, by Transformers.js (the optional peer @huggingface/transformers),
 * in 32-bit numbers. Images are resized, cropped and normalised as the model's own processor says;
 * texts longer than the model reads (CLIP: 77 tokens) are cut, as in CLIP's own code.
 *
 * @param model `owner/name` on the Hugging Face Hub with ONNX weights, or the path of a folder
 *   ("./my-clip") that holds config.json, tokenizer.json, preprocessor_config.json and onnx/
 * @throws InputError, when first asked, where the peer is missing or the model can't be loaded.
 * @example clipScore({ model: transformersJs("Xenova/clip-vit-base-patch16") })
 */
export function transformersJs(
  model: string,
  options: TransformersJsOptions & EncoderOptions = {},
): DualEncoder & Loadable {
  const { revision } = options;
  const loaded = onceLoaded(model, options, {
    kind: "CLIP model",
    uses: [
      ...["AutoTokenizer", "AutoProcessor", "RawImage"],
      ...["CLIPTextModelWithProjection", "CLIPVisionModelWithProjection"],
    ] as const,
    async load(library, { id, from, precise }): Promise<LoadedEncoder> {
      const tokenize = await library.AutoTokenizer.from_pretrained(id, from);
      const process = await library.AutoProcessor.from_pretrained(id, from);
      const text = await library.CLIPTextModelWithProjection.from_pretrained(id, precise);
      const vision = await library.CLIPVisionModelWithProjection.from_pretrained(id, precise);
      return {
        library,
        tokenize,
        process,
        readText: async (inputs) => (await text(inputs)).text_embeds,
        readImage: async (inputs) => (await vision(inputs)).image_embeds,
      };
    },
  });
  const identity = { provider: "transformers-js", model, ...(revision && { revision }) };
  return dualEncoder(identity, loaded, options);
}
