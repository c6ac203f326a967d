import { z } from "zod";
import { InputError, isMissingPackage, TouchstoneError } from "../../core/errors.js";

/** The little of @huggingface/transformers (Transformers.js 4) that is used here. */
export interface TransformersLibrary {
  readonly AutoTokenizer: FromPretrained<Tokenize>;
  readonly AutoProcessor: FromPretrained<Processor>;
  readonly CLIPTextModelWithProjection: FromPretrained<Run>;
  readonly CLIPVisionModelWithProjection: FromPretrained<Run>;
  readonly SiglipTextModel: FromPretrained<Run>;
  readonly SiglipVisionModel: FromPretrained<Run>;
  readonly AutoConfig: FromPretrained<Config>;
  readonly SamModel: FromPretrained<Segment>;
  readonly Sam2Model: FromPretrained<Segment>;
  readonly AutoModelForImageTextToText: FromPretrained<Generator>;
  readonly pipeline: (
    task: "zero-shot-object-detection",
    model: string,
    options: LoadOptions,
  ) => Promise<Detect>;
  readonly RawImage: new (data: Uint8Array, width: number, height: number, channels: 3) => unknown;
}

interface FromPretrained<Loaded> {
  from_pretrained(model: string, options: LoadOptions): Promise<Loaded>;
}

export interface LoadOptions {
  readonly revision?: string;
  readonly cache_dir?: string;
  readonly local_files_only?: boolean;
  readonly dtype?: string;
}

export interface Tensor {
  readonly data: unknown;
  readonly dims?: readonly number[];
}

type Inputs = Readonly<Record<string, unknown>>;
export type Tokenize = (
  texts: readonly string[],
  options:
    | { readonly padding: "max_length"; readonly truncation: true }
    | { readonly padding: false; readonly truncation: false },
) => Inputs;
type Run = (inputs: Inputs) => Promise<Readonly<Record<string, Tensor>>>;
/** Finds a name in an image: where, in pixels, and how surely, in [0, 1]. */
export interface Detect {
  (
    image: unknown,
    names: readonly string[],
    options: { readonly threshold: number },
  ): Promise<unknown>;
  readonly model?: { readonly config: { readonly model_type?: unknown } };
}

/** Finds outlines at points or in boxes of an image that is looked at once. */
export interface Segment extends Run {
  /** Its ONNX files, with the names of their inputs. */
  readonly sessions?: {
    readonly prompt_encoder_mask_decoder?: { readonly inputNames?: readonly string[] };
  };
  get_image_embeddings(inputs: Inputs): Promise<Inputs>;
}

interface Config {
  readonly model_type?: unknown;
}

/** Prepares what a model takes: images alone, or with texts, in an order of its own. */
export interface Processor {
  (...inputs: unknown[]): Promise<Inputs>;
  apply_chat_template?(messages: readonly object[], options: object): string;
  post_process_masks?(masks: Tensor, ...sizes: unknown[]): Promise<readonly Tensor[]>;
  readonly tokenizer?: { decode(ids: readonly bigint[], options?: object): string };
  /** Where images are prepared, whose settings are those of preprocessor_config.json. */
  readonly image_processor?: ImageSettings;
}

/** How an encoder shrinks and cuts images, as far as it does. */
export interface ImageSettings {
  readonly do_center_crop?: unknown;
  readonly crop_size?: unknown;
  readonly size?: unknown;
}

/** A model that writes on. */
export interface Generator {
  readonly config: { readonly model_type?: unknown };
  readonly generation_config?: { readonly eos_token_id?: unknown } | null;
  generate(options: Inputs): Promise<Tensor>;
}

const packageName = "@huggingface/transformers";

/**
 * Imports the optional peer.
 *
 * @throws InputError that says what to install and why, where it is not installed.
 */
export async function importTransformers<Name extends keyof TransformersLibrary>(
  names: readonly Name[],
): Promise<Pick<TransformersLibrary, Name>> {
  // The name is a variable so that types and builds do without the package.
  const module: unknown = await import(packageName).catch((cause: unknown) => {
    throw isMissingPackage(cause, packageName) ? notInstalled(cause) : cause;
  });
  return checkLibrary(module, names);
}

const notInstalled = (cause: unknown) =>
  new InputError(`Models of the provider transformers-js need the package ${packageName}`, {
    hint:
      "It runs models on this machine and is not installed with touchstone, since it takes " +
      `some 470 MB: ONNXRUNTIME_NODE_INSTALL=skip npm install ${packageName}@4 ` +
      "(in a clone of this repository also --no-save --save-dev, else npm skips it as an optional peer)",
    cause,
  });

const anyFunction = z.custom((value) => typeof value === "function");
const loader = z.custom(
  (value) =>
    typeof value === "function" &&
    "from_pretrained" in value &&
    typeof value.from_pretrained === "function",
);
const members: Readonly<Record<keyof TransformersLibrary, z.ZodType>> = {
  AutoTokenizer: loader,
  AutoProcessor: loader,
  CLIPTextModelWithProjection: loader,
  CLIPVisionModelWithProjection: loader,
  SiglipTextModel: loader,
  SiglipVisionModel: loader,
  AutoConfig: loader,
  SamModel: loader,
  Sam2Model: loader,
  AutoModelForImageTextToText: loader,
  pipeline: anyFunction,
  RawImage: anyFunction,
};

/**
 * @param names what is used of it
 * @throws TouchstoneError where a module is not the library that this adapter was written for.
 */
export function checkLibrary<Name extends keyof TransformersLibrary>(
  module: unknown,
  names: readonly Name[],
): Pick<TransformersLibrary, Name> {
  const schema = z.object(Object.fromEntries(names.map((name) => [name, members[name]])));
  const parsed = schema.safeParse(module);
  if (!parsed.success) {
    const missing = parsed.error.issues.map(({ path }) => path.join("."));
    throw new TouchstoneError("peer", `${packageName} lacks ${missing.join(", ")}`, {
      hint: `This adapter was written for version 4: npm install ${packageName}@4`,
    });
  }
  return parsed.data as unknown as Pick<TransformersLibrary, Name>;
}
