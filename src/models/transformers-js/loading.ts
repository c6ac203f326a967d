import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Pixels } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import type { LoadOptions, Tensor, TransformersLibrary } from "./transformers-library.js";

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

/** A model that can be loaded before it is first asked. */
export interface Loadable {
  load(): Promise<void>;
}

/** Where a model's files are, and how exactly they are computed with. */
export interface Source {
  /** A name of the Hub, or the path of a folder. */
  readonly id: string;
  readonly from: LoadOptions;
  /** The same, with 32-bit numbers. */
  readonly precise: LoadOptions;
}

/**
 * Loads a model once, when it is first needed; again where that failed.
 *
 * @param kind what it is, as a message says it
 * @param uses what is used of the library
 * @throws InputError, when called, where the peer is missing or the model can't be loaded.
 */
export function onceLoaded<Name extends keyof TransformersLibrary, Loaded>(
  model: string,
  options: TransformersJsOptions,
  {
    kind,
    uses,
    load,
  }: {
    readonly kind: string;
    readonly uses: readonly Name[];
    readonly load: (library: Pick<TransformersLibrary, Name>, source: Source) => Promise<Loaded>;
  },
): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  const start = async () => {
    const { library: given } = options;
    const { checkLibrary, importTransformers } = await import("./transformers-library.js");
    const library =
      given === undefined ? await importTransformers(uses) : checkLibrary(given, uses);
    const { folder, ...source } = sourceOf(model, options);
    try {
      if (folder !== undefined) await access(join(folder, "config.json"));
      return await load(library, source);
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      const hint = hintFor({ isFolder: folder !== undefined, offline: options.offline === true });
      throw new InputError(`Can't load the ${kind} ${source.id}: ${message}`, { hint, cause });
    }
  };
  return () => {
    loading ??= start().catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
}

function sourceOf(
  model: string,
  { revision, cacheDirectory, localDirectory, offline = false }: TransformersJsOptions,
): Source & { readonly folder: string | undefined } {
  const folder = folderOf(model, localDirectory);
  const from: LoadOptions = {
    ...(revision === undefined ? {} : { revision }),
    ...(cacheDirectory === undefined ? {} : { cache_dir: cacheDirectory }),
    local_files_only: offline || folder !== undefined,
  };
  return { id: folder ?? model, from, precise: { ...from, dtype: "fp32" }, folder };
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

/** Pixels as the library takes them. */
export const rawImage = (
  { RawImage }: Pick<TransformersLibrary, "RawImage">,
  { data, width, height }: Pixels,
) => new RawImage(data, width, height, 3);

/** @throws NoAnswer where a tensor holds no 32-bit numbers. */
export function numbersOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new NoAnswer("unparsable", "The model gave no embedding of 32-bit numbers");
}
