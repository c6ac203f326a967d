import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { ChatReply } from "../../core/models.js";
import { replyReader } from "../http/reply-reader.js";
import type { NativeFormat, NativeRequest, WireTurn } from "./native-chat.js";

const count = z.number().min(0).nullish().catch(undefined);
const schema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
  stop_reason: z.string().nullish(),
  stop_details: z.looseObject({ explanation: z.string().nullish() }).nullish().catch(undefined),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
    })
    .nullish()
    .catch(undefined),
  model: z.string().max(300).nullish().catch(undefined),
});
const read = replyReader(schema, "message");

/** A limit is required; a word or some JSON is shorter. */
const usualTokens = 1024;

/**
 * Anthropic's API of messages. It gives no log-probabilities, and thought is no part of the answer, though
 * its tokens are billed.
 *
 * @throws from a model's `chat`: InputError for a temperature above 1.
 */
export default {
  name: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  keyName: "ANTHROPIC_API_KEY",
  keyHeader: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  hasLogProbabilities: false,
  call,
  read: answer,
} satisfies NativeFormat;

function call(model: string, { turns, maxTokens = usualTokens, temperature }: NativeRequest) {
  if (temperature !== undefined && temperature > 1) {
    throw new InputError(
      `Expected a temperature from 0 to 1 for anthropic but received ${temperature}`,
      { hint: "Lower it in touchstone.config.yaml (yesNo: { samples: N, temperature: 1 })" },
    );
  }
  const system = turns.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  return {
    path: "messages",
    body: {
      model,
      max_tokens: maxTokens,
      ...(system.length === 0 ? {} : { system: system.map(wirePart) }),
      messages: turns
        .filter(({ role }) => role !== "system")
        .map(({ role, parts }) => ({ role, content: parts.map(wirePart) })),
      ...(temperature === undefined ? {} : { temperature }),
    },
  };
}

const wirePart = (part: WireTurn["parts"][number]) =>
  "text" in part
    ? { type: "text", text: part.text }
    : {
        type: "image",
        source: { type: "base64", media_type: part.mediaType, data: part.data },
      };

const finishes: Readonly<Record<string, ChatReply["finish"]>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
};

function answer(json: unknown): ChatReply {
  const { content, stop_reason, stop_details, usage, model } = read(json);
  const text = content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
  const finish = finishes[stop_reason ?? "end_turn"] ?? "other";
  const { input_tokens, output_tokens } = usage ?? {};
  const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  return {
    text: finish === "refused" ? stop_details?.explanation || text || "refusal" : text,
    finish,
    ...(input_tokens == null || output_tokens == null
      ? {}
      : { usage: { inputTokens: input_tokens + cached, outputTokens: output_tokens } }),
    ...(model ? { answeredBy: model } : {}),
  };
}
