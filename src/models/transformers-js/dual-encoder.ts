import { z } from "zod";
import type { DualEncoder, ModelIdentity } from "../../core/models.js";
import { noteCrop, noteText } from "../../core/whole-input.js";
import {
  type Loadable,
  numbersOf,
  onceLoaded,
  rawImage,
  type TransformersJsOptions,
} from "./loading.js";
import type {
  ImageSettings,
  Processor,
  Tensor,
  Tokenize,
  TransformersLibrary,
} from "./transformers-library.js";

/** The two halves of a CLIP-like model, and where each leaves its vector. */
interface LoadedEncoder {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly tokenize: Tokenize;
  readonly process: Processor;
  readonly readText: (inputs: Readonly<Record<string, unknown>>) => Promise<Tensor | undefined>;
  readonly readImage: (inputs: Readonly<Record<string, unknown>>) => Promise<Tensor | undefined>;
}

/** Settings of an encoder that the weights of its two halves do not hold. */
export interface EncoderOptions {
  /** Factor of cosines in training, where it is known, for metrics that multiply by it, too. */
  readonly logitScale?: number | undefined;
}

/** Texts are padded to the model's length and cut at it, as the published codes of both kinds do. */
const dualEncoder = (
  identity: ModelIdentity,
  loaded: () => Promise<LoadedEncoder>,
  { logitScale }: EncoderOptions = {},
): DualEncoder & Loadable => ({
  identity,
  ...(logitScale === undefined ? {} : { logitScale }),
  async load() {
    await loaded();
  },
  async embedImage(image, { signal, trace } = {}) {
    const { library, process, readImage } = await loaded();
    signal?.throwIfAborted();
    const crop = cropOf(process.image_processor ?? {});
    if (crop !== undefined) noteCrop(trace, image, crop);
    return numbersOf(await readImage(await process(rawImage(library, await image.pixels()))));
  },
  async embedText(text, { signal, trace } = {}) {
    const { tokenize, readText } = await loaded();
    signal?.throwIfAborted();
    const inputs = tokenize([text], { padding: "max_length", truncation: true });
    const [read, of] = [inputs, tokenize([text], { padding: false, truncation: false })].map(
      length,
    );
    if (read !== undefined && of !== undefined) noteText(trace, { read, of });
    return numbersOf(await readText(inputs));
  },
});

/** Tokens of one text. */
const length = ({ input_ids: ids }: Readonly<Record<string, unknown>>): number | undefined =>
  (ids as Tensor | undefined)?.dims?.at(-1);

const side = z.number().positive();
const cropped = z.object({
  do_center_crop: z.literal(true),
  crop_size: z.union([
    z.object({ width: side, height: side }),
    side.transform((one) => ({ width: one, height: one })),
  ]),
  size: z.union([
    z.object({ shortest_edge: side }),
    side.transform((one) => ({ shortest_edge: one })),
  ]),
});

/** How an encoder cuts images to their middle; undefined of one that does not, or does not say. */
function cropOf(settings: ImageSettings) {
  const { data } = cropped.safeParse(settings);
  return data && { shortestEdge: data.size.shortest_edge, crop: data.crop_size };
}

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
export const transformersJsSiglip = (
  model: string,
  options: TransformersJsOptions & EncoderOptions = {},
): DualEncoder & Loadable => encoderOf("SigLIP", model, options);

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
export const transformersJs = (
  model: string,
  options: TransformersJsOptions & EncoderOptions = {},
): DualEncoder & Loadable => encoderOf("CLIP", model, options);

/** Classes of the two halves, where each leaves its vector, and how its models are named in records. */
const families = {
  SigLIP: {
    halves: ["SiglipTextModel", "SiglipVisionModel"],
    vectors: ["pooler_output", "pooler_output"],
    prefix: "siglip:",
  },
  CLIP: {
    halves: ["CLIPTextModelWithProjection", "CLIPVisionModelWithProjection"],
    vectors: ["text_embeds", "image_embeds"],
    prefix: "",
  },
} as const;

function encoderOf(
  family: keyof typeof families,
  model: string,
  options: TransformersJsOptions & EncoderOptions,
): DualEncoder & Loadable {
  const { halves, vectors, prefix } = families[family];
  const loaded = onceLoaded(model, options, {
    kind: `${family} model`,
    uses: ["AutoTokenizer", "AutoProcessor", "RawImage", ...halves] as const,
    async load(library, { id, from, precise }): Promise<LoadedEncoder> {
      const tokenize = await library.AutoTokenizer.from_pretrained(id, from);
      const process = await library.AutoProcessor.from_pretrained(id, from);
      const text = await library[halves[0]].from_pretrained(id, precise);
      const vision = await library[halves[1]].from_pretrained(id, precise);
      return {
        library,
        tokenize,
        process,
        readText: async (inputs) => (await text(inputs))[vectors[0]],
        readImage: async (inputs) => (await vision(inputs))[vectors[1]],
      };
    },
  });
  const { revision } = options;
  const identity = {
    provider: "transformers-js",
    model: `${prefix}${model}`,
    ...(revision && { revision }),
  };
  return dualEncoder(identity, loaded, options);
}
