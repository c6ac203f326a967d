import type { Json, JsonObject } from "./json.js";
import type { ChatTask } from "./judging-task.js";
import type { Hash } from "./keys.js";
import type { ImageMaking } from "./records.js";

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

/**
 * A model's name, or those of several together, without revisions.
 *
 * @example withoutRevision("lab:vqa@80dcc2a09671") // "lab:vqa"
 */
export const withoutRevision = (model: string) => model.replace(/@[^@]*?(?= [+/] |$)/g, "");

/**
 * A model's name as recipes have it, without its revision and address.
 *
 * @example bareName("openai-compatible:tiny at http://judge/v1") // "openai-compatible:tiny"
 */
export const bareName = (model: string) => withoutRevision(model).replace(/ at \S+$/, "");

/** The same, and where it is reached: one name on two servers may be two models. */
export const placedName = (identity: ModelIdentity): string => placed(modelFacts(identity));

/** A model as a record names it. Credentials in an address never get there. */
export function modelFacts(identity: ModelIdentity): ModelFacts {
  const { baseUrl } = identity;
  const model = modelName(identity);
  return baseUrl === undefined ? { model } : { model, baseUrl: withoutCredentials(baseUrl) };
}

export interface ModelFacts {
  readonly model: string;
  readonly baseUrl?: string;
}

/** The same as records and what is like them hold it. */
export interface Placed {
  readonly model: string;
  readonly baseUrl?: string | undefined;
}

export const placed = ({ model, baseUrl }: Placed): string =>
  baseUrl === undefined ? model : `${model} at ${baseUrl}`;

/**
 * An address without user, password, query and fragment, where keys may stand.
 *
 * @example withoutCredentials("https://me:secret@host/v1?key=secret") // "https://host/v1"
 */
export const withoutCredentials = (address: string): string =>
  address.replace(/[?#].*$/s, "").replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, "$1");

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
  /** The path of a file with these bytes that every decoder shows as `pixels()` has it, where there is one. */
  readonly file?: string;
  /** The picture that this one was made from, such as the whole of what this shows a part of. */
  readonly origin?: Picture;
  pixels(): Promise<Pixels>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Tells repeated askings of the same question apart; a cache answers each trial on its own. */
  readonly trial?: number;
  /** Notes what can't be reproduced (time, cost, tokens, raw replies), for a run's `trace/`. */
  readonly trace?: (entry: JsonObject) => void;
}

/** Members that every contract below has. A model without an answer throws `NoAnswer`. */
export interface Model {
  readonly identity: ModelIdentity;
  /**
   * The wording that the model needs around a text, by metric, with `{text}` where it goes. Metrics
   * use it in place of their own where the caller gives none.
   */
  readonly templates?: Readonly<Record<string, string>>;
  /** No side of an image is sent longer than this, in pixels; not given where images go as they are. */
  readonly longestSide?: number;
}

/** Image -> a vector; not necessarily of length 1. */
export interface ImageEmbedder extends Model {
  embedImage(image: Picture, options?: CallOptions): Promise<Float32Array>;
}

/** Embeds texts; in the same space as images, if the model embeds those, too. */
export interface TextEmbedder extends Model {
  embedText(text: string, options?: CallOptions): Promise<Float32Array>;
}

/** Images and texts -> vectors in one space, scaled as the model was trained to compare them. */
export interface DualEncoder extends ImageEmbedder, TextEmbedder {
  /**
   * Factor of cosines in training (the exponential of CLIP's logit scale). 100, to
   * which CLIP's training holds it, where a model does not say.
   */
  readonly logitScale?: number;
}

/** Image and text -> how good an image people would find it for the text: the network's own number. */
export interface RewardModel extends Model {
  reward(image: Picture, text: string, options?: CallOptions): Promise<number>;
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
  /** Which image of a run it is, for those who look it up: the prompt's key, role and number from 0. */
  readonly place?: { readonly prompt: string; readonly role: string; readonly sample: number };
}

export interface GeneratedImage {
  /** The encoded image. */
  readonly bytes: Uint8Array;
  /** The path of a file of the user's that holds these bytes: a run refers to it and keeps no copy. */
  readonly file?: string;
  /** The prompt that was drawn, where the provider rewrote it. */
  readonly revisedPrompt?: string;
  /** How it was made, as far as it is known. */
  readonly making?: ImageMaking;
  /** The true content of the picture; only a generator that knows (the lab's) can say. */
  readonly truth?: Json;
}

/** Prompt -> image. */
export interface ImageGenerator extends Model {
  generate(request: GenerationRequest, options?: CallOptions): Promise<GeneratedImage>;
  /**
   * Remembers a request of which an image was made before, such as in an earlier process: asked again, it
   * tells a server that is down from one that can't make what is left.
   */
  answered?(request: GenerationRequest): void;
}

/** Where an entity is in an image: 1 inside, 0 outside, row by row, of the image's own size. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  /** width x height bytes. */
  readonly data: Uint8Array;
}

/** A part of an image in pixels: from x0 and y0, up to but without x1 and y1. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Image and the name of an entity -> a box of whole pixels around each that is found, or none. */
export interface Detector extends Model {
  detect(image: Picture, entity: string, options?: CallOptions): Promise<readonly Box[]>;
}

/** Image and the name of an entity -> its mask; `undefined` where the model finds none. */
export interface Localizer extends Model {
  localize(image: Picture, entity: string, options?: CallOptions): Promise<Mask | undefined>;
}

/** An entity of a prompt with the attributes that the prompt gives it. */
export interface DescribedEntity {
  readonly entity: string;
  readonly attributes: readonly string[];
}

/** Prompt -> its entities and their attributes, in the order of the text. */
export interface Decomposer extends Model {
  decompose(text: string, options?: CallOptions): Promise<readonly DescribedEntity[]>;
}

export type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: Picture };

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly ChatPart[];
}

/** A turn of a chat, its words and images in their order. */
export const turn = (
  role: ChatMessage["role"],
  ...parts: readonly (string | Picture)[]
): ChatMessage => ({
  role,
  parts: parts.map((part) =>
    typeof part === "string" ? { type: "text", text: part } : { type: "image", image: part },
  ),
});

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** How many alternatives to return for each token; without it no log-probabilities are asked. */
  readonly topLogProbabilities?: number;
  /** The JSON Schema that the answer must follow, enforced where the provider can. */
  readonly answerSchema?: { readonly name: string; readonly schema: JsonObject };
}

/** The images of a request, in their order. */
export const imagesOf = ({ messages }: ChatRequest): Picture[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "image" ? [part.image] : [])),
  );

export interface TokenChoice {
  readonly token: string;
  /** Natural logarithm, at most 0. */
  readonly logProbability: number;
}

/** A token of the answer; `alternatives` are the likeliest ones in its place, itself included. */
export interface ChatToken extends TokenChoice {
  readonly alternatives: readonly TokenChoice[];
}

export interface ChatReply {
  readonly text: string;
  /** `refused` where the provider declined to answer; then `text` is its reason. */
  readonly finish: "stop" | "length" | "refused" | "other";
  /** Where log-probabilities were asked for and given. */
  readonly tokens?: readonly ChatToken[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** The model that the server says has answered, where that is another than the one asked. */
  readonly answeredBy?: string;
  /** Names the state of the model asked that has answered, where the server says it. */
  readonly snapshot?: string;
}

/** Text and images -> text. */
export interface ChatModel extends Model {
  /** The tasks that it was made for; where not given, it can be asked any. */
  readonly madeFor?: readonly ChatTask[];
  /** False of one whose provider never gives log-probabilities. */
  readonly givesLogProbabilities?: boolean;
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatReply>;
}

/** Name of people where they stand beside metrics. */
export const peopleName = "people";

/** The model of scores that people gave in a study. @example peopleModel("0123abcd") // "people:0123abcd" */
export const peopleModel = (study: string): string => `${peopleName}:${study}`;

/** Tells whether people gave a score. They rate a sample: what they were not shown is not unscored. */
export const isByPeople = ({ model }: { readonly model: string }): boolean =>
  model.startsWith(`${peopleName}:`);

/** Stands for a localiser that chose what people were shown, where nobody noted which it was. */
export const unknownLocalizer = "unknown";
