import { z } from "zod";
import type { CallOptions, ImageEmbedder, Picture, TextEmbedder } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { noteSent } from "../../core/whole-input.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonClient } from "../http/json-client.js";
import { Refusals } from "../http/refusals.js";
import { replyReader } from "../http/reply-reader.js";
import { imageUrl } from "../openai-compatible/image-url.js";
import { type OpenAiClientOptions, openAiClient } from "../openai-compatible/openai-compatible.js";
import type { EmbeddingRequest } from "../prices/call-meter.js";

export interface OpenAiEmbeddingsOptions extends OpenAiClientOptions {
  /** Shared with other models of the same server; the options above are then its own. */
  readonly client?: JsonClient | undefined;
  /** Names a state of the model where its name does not. */
  readonly revision?: string | undefined;
  /** No side of an image is sent longer than this, in pixels; 1024 where not given. */
  readonly longestSide?: number | undefined;
  /** US dollars for a million tokens, where it is known. */
  readonly pricePerMillionTokens?: number | undefined;
}

export interface OpenAiEmbeddings extends ImageEmbedder, TextEmbedder {
  /** Remembers what was embedded before: it tells a server that is down from one that takes not all. */
  answered(embedded: EmbeddingRequest): void;
}

const vector = z.array(z.number()).min(1);
const schema = z.object({
  data: z.array(z.object({ embedding: z.union([vector, z.array(vector).min(1)]) })).length(1),
  usage: z
    .object({ prompt_tokens: z.number().min(0) })
    .optional()
    .catch(undefined),
});

const unpooled =
  "The server sends an embedding for each token; have it pool them (llama.cpp: --pooling mean)";

/** US dollars of an embedding: 0 of a free server, whether it counts tokens or not. */
const inputOfText = (text: string) => ({ input: [text] });

const costOf = (tokens: number | undefined, price: number | undefined) => {
  if (price === 0) return 0;
  return price === undefined || tokens === undefined ? undefined : (tokens * price) / 1e6;
};

/**
 * The forms in which servers take an image, tried in this order: a chat message (vLLM and SGLang), an
 * object in `input` (Jina and those that follow it), a data URL in `input` with its modality (Infinity).
 */
const imageForms: readonly ((url: string) => object)[] = [
  (url) => ({
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
  }),
  (url) => ({ input: [{ image: url }] }),
  (url) => ({ input: [url], modality: "image" }),
];

/**
 * A model of texts and images behind OpenAI's wire format for embeddings. OpenAI's own embeds texts
 * alone; how others take images differs, so the first form that the server understands is kept.
 *
 * @throws from both methods: NoAnswer "bad-input" for what the server turns down, "unparsable" for no
 *   embedding, "rate-limited", "timeout" and "provider-error" after the last attempt. InputError for a
 *   wrong key, model or address; IncompleteError where the provider is down.
 * @example openAiEmbeddings("openai/clip-vit-base-patch16", { baseUrl: "http://localhost:8000/v1" })
 */
export function openAiEmbeddings(
  model: string,
  {
    client,
    revision,
    longestSide = 1024,
    pricePerMillionTokens,
    ...own
  }: OpenAiEmbeddingsOptions = {},
): OpenAiEmbeddings {
  const calls = client ?? openAiClient(own);
  const { baseUrl } = calls;
  let form = 0;
  let isFormKnown = false;
  const refusals = new Refusals(calls, { model, keyName: own.keyName ?? "OPENAI_API_KEY" });

  const callOf = (item: string, input: object) => ({
    path: "embeddings",
    item,
    body: { model, encoding_format: "float", ...input },
    read: replyReader(schema, "reply with one embedding"),
  });
  const inputOf = async (image: Picture) =>
    imageForms[form]?.(await imageUrl(image, longestSide)) ?? {};

  async function ask(item: string, input: object, options: CallOptions): Promise<Float32Array> {
    const { value, attempts } = await calls.call(callOf(item, input), options);
    const inputTokens = value.usage?.prompt_tokens;
    const cost = costOf(inputTokens, pricePerMillionTokens);
    options.trace?.({
      kind: "model-call",
      cached: false,
      baseUrl,
      attempts,
      ...(inputTokens === undefined ? {} : { usage: { inputTokens } }),
      ...(cost === undefined ? {} : { cost }),
    });
    const numbers: number[] = [];
    for (const number of value.data[0]?.embedding ?? []) {
      // Asked again it would say the same.
      if (typeof number !== "number") throw new NoAnswer("unparsable", unpooled);
      numbers.push(number);
    }
    return Float32Array.from(numbers);
  }

  /** Sends an image in the first form that the server understands. */
  async function askOfImage(image: Picture, options: CallOptions): Promise<Float32Array> {
    for (;;) {
      const tried = form;
      try {
        const embedding = await ask(image.hash, await inputOf(image), options);
        isFormKnown = true;
        return embedding;
      } catch (error) {
        if (!(error instanceof CallFailure) || ![400, 422].includes(error.status ?? 0)) throw error;
        // Once one form was understood, a refusal is about the image; a key or a model is about none.
        if ((isFormKnown && form === tried) || error.final !== undefined) throw error;
        if (tried + 1 >= imageForms.length) {
          throw new NoAnswer(
            "not-applicable",
            `${model} at ${baseUrl} takes no images: ${error.message}`,
          );
        }
        // Another call may have learned the same in the meantime.
        if (form === tried) form++;
      }
    }
  }

  return {
    longestSide,
    identity: {
      provider: "openai-embeddings",
      model,
      ...(revision === undefined ? {} : { revision }),
      baseUrl,
    },
    answered(embedded) {
      calls.answered(async () =>
        "text" in embedded
          ? callOf(embedded.text, inputOfText(embedded.text))
          : callOf(embedded.image.hash, await inputOf(embedded.image)),
      );
    },
    embedText: (text, options = {}) =>
      refusals.during(text, () => ask(text, inputOfText(text), options)),
    embedImage: (image, options = {}) => {
      noteSent(options.trace, [image], longestSide);
      return refusals.during(image.hash, () => askOfImage(image, options));
    },
  };
}
