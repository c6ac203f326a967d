import type { Json } from "./json.js";
import type { Hash } from "./keys.js";

/** Which model answered. All of it goes into a record's key. */
export interface ModelIdentity {
  readonly provider: string;
  readonly model: string;
  readonly revision?: string;
  readonly baseUrl?: string;
}

/** `provider:model@revision`, as `--model` takes it and tables show it. */
export function modelName({ provider, model, revision }: ModelIdentity): string {
  return `${provider}:${model}${revision === undefined ? "" : `@${revision}`}`;
}

/** Decoded pixels: RGB, 8 bits, row by row, no alpha (images are flattened on white). */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** width x height x 3 bytes. */
  readonly data: Uint8Array;
}

/** An image as it is handed to a model: its bytes, their hash, and its pixels on demand. */
export interface Picture {
  readonly hash: Hash;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  pixels(): Promise<Pixels>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What every contract below has. A model without an answer throws `NoAnswer`. */
export interface Model {
  readonly identity: ModelIdentity;
  /**
   * The wording that the model needs around a text, by metric, with `{text}` where it goes. Metrics
   * use it in place of their own where the caller gives none.
   */
  readonly templates?: Readonly<Record<string, string>>;
}

/** Image -> a vector; not necessarily of length 1. */
export interface ImageEmbedder extends Model {
  embedImage(image: Picture, options?: CallOptions): Promise<Float32Array>;
}

/** Text -> a vector in the same space. */
export interface TextEmbedder extends Model {
  embedText(text: string, options?: CallOptions): Promise<Float32Array>;
}

/** Image and questions -> P(yes) for each, in [0, 1]. Questions on one image share its features. */
export interface VisualQuestionAnswering extends Model {
  probabilityOfYes(
    image: Picture,
    questions: readonly string[],
    options?: CallOptions,
  ): Promise<number[]>;
}

export interface GenerationRequest {
  readonly prompt: string;
  readonly seed: number;
}

export interface GeneratedImage {
  /** The encoded image. */
  readonly bytes: Uint8Array;
  /** The prompt that was drawn, where the provider rewrote it. */
  readonly revisedPrompt?: string;
  /** What is really in the picture; only a generator that knows (the lab's) can say. */
  readonly truth?: Json;
}

/** Prompt -> image. */
export interface ImageGenerator extends Model {
  generate(request: GenerationRequest, options?: CallOptions): Promise<GeneratedImage>;
}
