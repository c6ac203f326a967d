import { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import { type Key, keyOf } from "../../core/keys.js";
import type { CallOptions, ImageEmbedder, ModelIdentity, TextEmbedder } from "../../core/models.js";
import { jsonOrNone } from "../../core/read-json.js";
import { noteSent } from "../../core/whole-input.js";
import type { EmbeddingRequest } from "../prices/call-meter.js";
import type { ReplyStore } from "./reply-store.js";

/** Raised when embeddings of old must not be read any more. */
const version = 1;

const stored = z.array(z.number()).min(1);

/** Key under which an embedding is kept. */
export const embeddingKey = (
  identity: ModelIdentity,
  settings: JsonObject,
  embedded: EmbeddingRequest,
): Key =>
  keyOf({
    version,
    model: { ...identity },
    settings,
    ...("text" in embedded ? { text: embedded.text } : { image: embedded.image.hash }),
  });

/**
 * An embedder that is not asked twice, not even at the same time: embeddings are kept by model identity (base URL included) and the
 * text, or the image's hash. Errors are not kept. An embedding that was not asked for is noted in the trace with
 * `cached: true` and cost 0.
 *
 * @param options.settings what else makes an embedding differ, such as the size at which images are sent
 * @param options.onKept hears of what was embedded in an earlier process
 */
export function cachedEmbedder(
  model: ImageEmbedder & TextEmbedder,
  store: ReplyStore,
  {
    settings = {},
    onKept,
  }: {
    readonly settings?: JsonObject;
    readonly onKept?: (embedded: EmbeddingRequest) => void;
  } = {},
): ImageEmbedder & TextEmbedder {
  async function once(
    embedded: EmbeddingRequest,
    ask: () => Promise<Float32Array>,
    { signal, trace }: CallOptions,
  ): Promise<Float32Array> {
    signal?.throwIfAborted();
    const key = embeddingKey(model.identity, settings, embedded);
    const { made, isShared } = await store.once(key, async () => {
      const kept = parse(await store.read(key));
      if (kept !== undefined) {
        onKept?.(embedded);
        return { embedding: kept, isKept: true };
      }
      const embedding = await ask();
      await store.write(key, JSON.stringify(Array.from(embedding))).catch((error: unknown) => {
        // The answer is there and paid for; that it could not be kept must not lose it.
        trace?.({ kind: "not-cached", problem: String(error) });
      });
      return { embedding, isKept: false };
    });
    const { embedding, isKept } = made;
    if (isKept || isShared) {
      const { baseUrl } = model.identity;
      const at = baseUrl === undefined ? {} : { baseUrl };
      trace?.({ kind: "model-call", cached: true, ...at, cost: 0, key });
    }
    return embedding;
  }

  return {
    ...model,
    embedText: (text, options = {}) =>
      once({ text }, () => model.embedText(text, options), options),
    embedImage: (image, options = {}) => {
      noteSent(options.trace, [image], model.longestSide);
      return once({ image }, () => model.embedImage(image, options), options);
    },
  };
}

function parse(text: string | undefined): Float32Array | undefined {
  const { data } = stored.safeParse(jsonOrNone(text));
  return data && Float32Array.from(data);
}
