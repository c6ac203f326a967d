import type { DualEncoder } from "../../core/models.js";
import { dualEncoder, type EncoderOptions, type LoadedEncoder } from "./dual-encoder.js";
import { type Loadable, onceLoaded, type TransformersJsOptions } from "./loading.js";

/**
 * A SigLIP model on this machine, in 32-bit numbers (Zhai et al. 2023, "Sigmoid Loss for Language
 * Image Pre-Training"). Its own answer to a pair is sigmoid(scale cosine + bias), for each pair by
 * itself; scale and bias are learned, and weights that come as two halves hold neither, so that only
 * the cosine is known here. It lies lower than a CLIP's: a good pair may have 0.1.
 *
 * @param model as for `transformersJs`, such as Xenova/siglip-base-patch16-224
 * @throws InputError, when first asked, where the peer is missing or the model can't be loaded.
 * @example clipScore({ model: transformersJsSiglip("Xenova/siglip-base-patch16-224") })
 */
export function transformersJsSiglip(
  model: string,
  options: TransformersJsOptions & EncoderOptions = {},
): DualEncoder & Loadable {
  const { revision } = options;
  const loaded = onceLoaded(model, options, {
    kind: "SigLIP model",
    uses: [
      ...["AutoTokenizer", "AutoProcessor", "RawImage"],
      ...["SiglipTextModel", "SiglipVisionModel"],
    ] as const,
    async load(library, { id, from, precise }): Promise<LoadedEncoder> {
      const tokenize = await library.AutoTokenizer.from_pretrained(id, from);
      const process = await library.AutoProcessor.from_pretrained(id, from);
      const text = await library.SiglipTextModel.from_pretrained(id, precise);
      const vision = await library.SiglipVisionModel.from_pretrained(id, precise);
      return {
        library,
        tokenize,
        process,
        readText: async (inputs) => (await text(inputs)).pooler_output,
        readImage: async (inputs) => (await vision(inputs)).pooler_output,
      };
    },
  });
  const identity = {
    provider: "transformers-js",
    model: `siglip:${model}`,
    ...(revision && { revision }),
  };
  return dualEncoder(identity, loaded, options);
}
