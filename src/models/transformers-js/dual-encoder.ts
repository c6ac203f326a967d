import type { DualEncoder, ModelIdentity } from "../../core/models.js";
import { type Loadable, numbersOf, rawImage } from "./loading.js";
import type { Processor, Tensor, TransformersLibrary } from "./transformers-library.js";

/** The two halves of a CLIP-like model, and where each leaves its vector. */
export interface LoadedEncoder {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly tokenize: (
    texts: readonly string[],
    options: { readonly padding: "max_length"; readonly truncation: true },
  ) => Readonly<Record<string, unknown>>;
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
export const dualEncoder = (
  identity: ModelIdentity,
  loaded: () => Promise<LoadedEncoder>,
  { logitScale }: EncoderOptions = {},
): DualEncoder & Loadable => ({
  identity,
  ...(logitScale === undefined ? {} : { logitScale }),
  async load() {
    await loaded();
  },
  async embedImage(image, { signal } = {}) {
    const { library, process, readImage } = await loaded();
    signal?.throwIfAborted();
    return numbersOf(await readImage(await process(rawImage(library, await image.pixels()))));
  },
  async embedText(text, { signal } = {}) {
    const { tokenize, readText } = await loaded();
    signal?.throwIfAborted();
    return numbersOf(await readText(tokenize([text], { padding: "max_length", truncation: true })));
  },
});
