import type { Json, JsonObject } from "../../core/json.js";
import { type ChatMessage, type ChatRequest, type Picture, turn } from "../../core/models.js";
import { chatPrompts } from "../chat/json-answer.js";
import { type Abilities, withoutWords } from "./abilities.js";

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
  const { maxTokensName, leastTokens, responseFormat, takesTemperature, takesSeed } = abilities;
  const schema = answerSchema && withoutWords(answerSchema.schema, abilities.schemaWithout);
  const instructed =
    schema === undefined || responseFormat === "json_schema"
      ? messages
      : [...messages, turn("user", instruction(schema))];
  const sent = joinedTurns(abilities.takesSystem ? instructed : instructed.map(asUser));
  return {
    model,
    messages: await Promise.all(sent.map((message) => wireMessage(message, imageUrl))),
    ...(abilities.streams ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(maxTokens === undefined ? {} : { [maxTokensName]: Math.max(maxTokens, leastTokens) }),
    ...(temperature === undefined || !takesTemperature ? {} : { temperature }),
    ...(seed === undefined || !takesSeed ? {} : { seed }),
    ...(topLogProbabilities === undefined || abilities.mostAlternatives === 0
      ? {}
      : wireLogProbabilities(Math.min(topLogProbabilities, abilities.mostAlternatives), abilities)),
    ...(answerSchema === undefined || schema === undefined || responseFormat === "none"
      ? {}
      : {
          response_format:
            responseFormat === "json_object"
              ? { type: "json_object" }
              : {
                  type: "json_schema",
                  json_schema: { ...answerSchema, schema, strict: isStrict(schema) },
                },
        }),
  };
}

const wireLogProbabilities = (
  count: number,
  { countsLogProbabilities }: Pick<Abilities, "countsLogProbabilities">,
): JsonObject =>
  countsLogProbabilities ? { logprobs: count } : { logprobs: true, top_logprobs: count };

/** How a model is asked for JSON where nothing enforces it. */
export const instruction = (schema: Json): string =>
  chatPrompts().schema.replace("{schema}", () => JSON.stringify(schema));

const asUser = (message: ChatMessage): ChatMessage =>
  message.role === "system" ? { ...message, role: "user" } : message;

/** Turns of one role that follow each other as one: many servers take turns in alternation alone. */
export function joinedTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.role !== message.role) joined.push(message);
    else joined.splice(-1, 1, { ...before, parts: [...before.parts, ...message.parts] });
  }
  return joined;
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
