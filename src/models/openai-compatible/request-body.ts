import type { Json, JsonObject } from "../../core/json.js";
import type { ChatMessage, ChatRequest, Picture } from "../../core/models.js";
import type { Abilities } from "./abilities.js";

/** A request in OpenAI's wire format, as far as the model understands it. */
export async function requestBody(
  { messages, maxTokens, temperature, seed, topLogProbabilities, answerSchema }: ChatRequest,
  {
    model,
    abilities,
    imageUrl,
  }: {
    readonly model: string;
    readonly abilities: Abilities;
    readonly imageUrl: (image: Picture) => Promise<string>;
  },
): Promise<JsonObject> {
  const { maxTokensName, responseFormat, takesTemperature, takesSeed } = abilities;
  return {
    model,
    messages: await Promise.all(messages.map((message) => wireMessage(message, imageUrl))),
    ...(maxTokens === undefined ? {} : { [maxTokensName]: maxTokens }),
    ...(temperature === undefined || !takesTemperature ? {} : { temperature }),
    ...(seed === undefined || !takesSeed ? {} : { seed }),
    ...(topLogProbabilities === undefined || abilities.mostAlternatives === 0
      ? {}
      : {
          logprobs: true,
          top_logprobs: Math.min(topLogProbabilities, abilities.mostAlternatives),
        }),
    ...(answerSchema === undefined || responseFormat === "none"
      ? {}
      : {
          response_format:
            responseFormat === "json_object"
              ? { type: "json_object" }
              : {
                  type: "json_schema",
                  json_schema: { ...answerSchema, strict: isStrict(answerSchema.schema) },
                },
        }),
  };
}

async function wireMessage(
  { role, parts }: ChatMessage,
  imageUrl: (image: Picture) => Promise<string>,
): Promise<JsonObject> {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  // Many servers take a list only where there is an image in it.
  if (texts.length === parts.length) return { role, content: texts.join("\n") };
  const content = parts.map(async (part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: await imageUrl(part.image) } },
  );
  return { role, content: await Promise.all(content) };
}

/** Whether every object in a schema is closed and all its members are required, as "strict" means. */
function isStrict(schema: Json): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  if (isList(schema)) return schema.every(isStrict);
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object") {
    const names = Object.keys(properties ?? {});
    const all = isList(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => all.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
