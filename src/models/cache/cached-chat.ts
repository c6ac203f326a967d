import { z } from "zod";
import { asJson } from "../../core/json.js";
import { type Key, keyOf } from "../../core/keys.js";
import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  imagesOf,
  type ModelIdentity,
} from "../../core/models.js";
import { jsonOrNone } from "../../core/read-json.js";
import { noteSent } from "../../core/whole-input.js";
import type { ReplyStore } from "./reply-store.js";

/** Raised when replies of old must not be read any more. */
const version = 1;

const choice = { token: z.string(), logProbability: z.number().max(0) };
const stored = z.object({
  text: z.string(),
  finish: z.enum(["stop", "length", "refused", "other"]),
  tokens: z.array(z.object({ ...choice, alternatives: z.array(z.object(choice)) })).exactOptional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).exactOptional(),
  answeredBy: z.string().exactOptional(),
  snapshot: z.string().exactOptional(),
});

/**
 * A chat model that is not asked twice, not even at the same time: its replies are kept by model identity
 * (base URL included), the whole request (images by their hash) and trial. Errors and refusals are not
 * kept. A reply that was not asked for is noted in the trace with `cached: true` and cost 0.
 *
 * @param onKept hears of requests that were answered in an earlier process
 */
export function cachedChat(
  model: ChatModel,
  store: ReplyStore,
  { onKept }: { readonly onKept?: (request: ChatRequest) => void } = {},
): ChatModel {
  return {
    ...model,
    async chat(request, options = {}) {
      const { signal, trial = 0, trace } = options;
      signal?.throwIfAborted();
      noteSent(trace, imagesOf(request), model.longestSide);
      const key = replyKey(model.identity, request, trial);
      const { made, isShared } = await store.once(key, async () => {
        const kept = parse(await store.read(key));
        if (kept !== undefined) {
          onKept?.(request);
          return { reply: kept, isKept: true };
        }
        const reply = await model.chat(request, options);
        if (reply.finish !== "refused") {
          await store.write(key, JSON.stringify(reply)).catch((error: unknown) => {
            // The answer is there and paid for; that it could not be kept must not lose it.
            trace?.({ kind: "not-cached", problem: String(error) });
          });
        }
        return { reply, isKept: false };
      });
      const { reply, isKept } = made;
      if (isKept || isShared) {
        const { baseUrl } = model.identity;
        const { answeredBy, snapshot } = reply;
        trace?.({
          kind: "model-call",
          cached: true,
          ...(baseUrl === undefined ? {} : { baseUrl }),
          cost: 0,
          ...(answeredBy === undefined ? {} : { answeredBy }),
          ...(snapshot === undefined ? {} : { snapshot }),
          key,
          reply: asJson(reply),
        });
      }
      return reply;
    },
  };
}

/** Key of a request: another for every request, model and trial. */
export function replyKey(identity: ModelIdentity, request: ChatRequest, trial = 0): Key {
  const messages = request.messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) =>
      part.type === "text" ? { text: part.text } : { image: part.image.hash },
    ),
  }));
  return keyOf(asJson({ version, model: identity, request: { ...request, messages }, trial }));
}

const parse = (text: string | undefined): ChatReply | undefined =>
  stored.safeParse(jsonOrNone(text)).data;
