import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { ImageEmbedder, ModelIdentity, TextEmbedder } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import {
  checkLibrary,
  importTransformers,
  type LoadOptions,
  type TransformersLibrary,
} from "./library.js";

export interface TransformersJsOptions {
  /** A branch, tag or commit of the model's repository; "main" where not given. */
  readonly revision?: string | undefined;
  /** Where downloaded files are kept; the library's own place where not given. */
  readonly cacheDirectory?: string | undefined;
  /** A folder that holds `owner/name/…`; nothing is then downloaded. */
  readonly localDirectory?: string | undefined;
  /** Use only what was downloaded before. */
  readonly offline?: boolean | undefined;
  /** The module, where it can't be imported from here: `await import("@huggingface/transformers")`. */
  readonly library?: unknown;
}

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
  options: TransformersJsOptions = {},
): ImageEmbedder & TextEmbedder & { load(): Promise<void> } {
  const { revision, library } = options;
  const identity: ModelIdentity = {
    provider: "transformers-js",
    model,
    ...(revision === undefined ? {} : { revision }),
  };
  let loading: Promise<LoadedClip> | undefined;
  const loaded = () => {
    loading ??= load(model, options, library).catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
  return {
    identity,
    async load() {
      await loaded();
    },
    async embedImage(image, { signal } = {}) {
      const { library, process, vision } = await loaded();
      signal?.throwIfAborted();
      const { data, width, height } = await image.pixels();
      const { image_embeds } = await vision(
        await process(new library.RawImage(data, width, height, 3)),
      );
      return numbersOf(image_embeds);
    },
    async embedText(text, { signal } = {}) {
      const { tokenize, language } = await loaded();
      signal?.throwIfAborted();
      const inputs = tokenize([text], { padding: "max_length", truncation: true });
      const { text_embeds } = await language(inputs);
      return numbersOf(text_embeds);
    },
  };
}

type LoadedClip = Awaited<ReturnType<typeof load>>;

async function load(
  model: string,
  { revision, cacheDirectory, localDirectory, offline = false }: TransformersJsOptions,
  given: unknown,
) {
  const library: TransformersLibrary =
    given === undefined ? await importTransformers() : checkLibrary(given);
  const folder = folderOf(model, localDirectory);
  const id = folder ?? model;
  const from: LoadOptions = {
    ...(revision === undefined ? {} : { revision }),
    ...(cacheDirectory === undefined ? {} : { cache_dir: cacheDirectory }),
    local_files_only: offline || folder !== undefined,
  };
  const precise: LoadOptions = { ...from, dtype: "fp32" };
  try {
    if (folder !== undefined) await access(join(folder, "config.json"));
    return {
      library,
      tokenize: await library.AutoTokenizer.from_pretrained(id, from),
      process: await library.AutoProcessor.from_pretrained(id, from),
      language: await library.CLIPTextModelWithProjection.from_pretrained(id, precise),
      vision: await library.CLIPVisionModelWithProjection.from_pretrained(id, precise),
    };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`Can't load the CLIP model ${id}: ${message}`, {
      hint: hintFor({ isFolder: folder !== undefined, offline }),
      cause,
    });
  }
}

/** A path stands for itself; a name of the Hub for a folder only where they are kept locally. */
function folderOf(model: string, localDirectory: string | undefined): string | undefined {
  if (/^(\.{0,2}[\\/]|[A-Za-z]:)/.test(model)) return resolve(model);
  return localDirectory === undefined ? undefined : resolve(localDirectory, model);
}

function hintFor({ isFolder, offline }: { isFolder: boolean; offline: boolean }): string {
  if (isFolder)
    return "The folder must hold config.json, tokenizer.json, preprocessor_config.json and onnx/.";
  if (offline) return "Nothing is downloaded offline: ask for it once with a network.";
  return "It is looked up on the Hugging Face Hub; without a network name a folder: ./my-clip";
}

function numbersOf(tensor: { readonly data: unknown } | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new NoAnswer("unparsable", "The model gave no embedding of 32-bit numbers");
}
