import { z } from "zod";
import { InputError, TouchstoneError } from "../../core/errors.js";

/** The little of @huggingface/transformers (Transformers.js 4) that is used here. */
export interface TransformersLibrary {
  readonly AutoTokenizer: FromPretrained<Tokenize>;
  readonly AutoProcessor: FromPretrained<(image: unknown) => Promise<Inputs>>;
  readonly CLIPTextModelWithProjection: FromPretrained<Run>;
  readonly CLIPVisionModelWithProjection: FromPretrained<Run>;
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

type Inputs = Readonly<Record<string, unknown>>;
type Tokenize = (
  texts: readonly string[],
  options: { readonly padding: "max_length"; readonly truncation: true },
) => Inputs;
type Run = (inputs: Inputs) => Promise<Readonly<Record<string, { readonly data: unknown }>>>;

const packageName = "@huggingface/transformers";

/**
 * Imports the optional peer.
 *
 * @throws InputError that says what to install and why, where it is not installed.
 */
export async function importTransformers(): Promise<TransformersLibrary> {
  // The name is a variable so that types and builds do without the package.
  const module: unknown = await import(packageName).catch((cause: unknown) => {
    throw isMissing(cause) ? notInstalled(cause) : cause;
  });
  return checkLibrary(module);
}

/** Node's own error, or that of a bundler's stand-in for an optional peer that is not there. */
const isMissing = (cause: unknown) =>
  cause instanceof Error &&
  (cause.message.includes(`Could not resolve "${packageName}"`) ||
    ("code" in cause &&
      cause.code === "ERR_MODULE_NOT_FOUND" &&
      cause.message.includes(`'${packageName}'`)));

const notInstalled = (cause: unknown) =>
  new InputError(`Models of the provider transformers-js need the package ${packageName}`, {
    hint:
      "It runs CLIP models on this machine and is not installed with touchstone, since it takes " +
      `some 470 MB: ONNXRUNTIME_NODE_INSTALL=skip npm install ${packageName}@4 ` +
      "(in a clone of touchstone add --no-save --save-dev, or npm takes the optional peer for done)",
    cause,
  });

const anyFunction = z.custom((value) => typeof value === "function");
const loader = z.custom(
  (value) =>
    typeof value === "function" &&
    "from_pretrained" in value &&
    typeof value.from_pretrained === "function",
);
const schema = z.object({
  AutoTokenizer: loader,
  AutoProcessor: loader,
  CLIPTextModelWithProjection: loader,
  CLIPVisionModelWithProjection: loader,
  RawImage: anyFunction,
});

/** @throws TouchstoneError where a module is not the library that this adapter was written for. */
export function checkLibrary(module: unknown): TransformersLibrary {
  const parsed = schema.safeParse(module);
  if (!parsed.success) {
    const missing = parsed.error.issues.map(({ path }) => path.join("."));
    throw new TouchstoneError("peer", `${packageName} lacks ${missing.join(", ")}`, {
      hint: `This adapter was written for version 4: npm install ${packageName}@4`,
    });
  }
  return parsed.data as unknown as TransformersLibrary;
}
