import type { Json, JsonObject } from "../../core/json.js";

/** Words of JSON Schema without which an answer is still asked for in its form; it is checked afterwards. */
const droppable = new Set([
  ...["additionalProperties", "propertyNames", "title", "default", "format", "pattern"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
]);

/** The words of a schema that can be left out. */
export function usedWords(schema: Json): string[] {
  const found = new Set<string>();
  mapped(schema, (word) => {
    if (droppable.has(word)) found.add(word);
    return true;
  });
  return [...found];
}

/** A schema without some words. */
export const withoutWords = (schema: JsonObject, words: readonly string[]): JsonObject =>
  words.length === 0 ? schema : (mapped(schema, (word) => !words.includes(word)) as JsonObject);

/** A schema with the words that are kept; members of `properties` are names, not words. */
function mapped(schema: Json, isKept: (word: string) => boolean): Json {
  if (Array.isArray(schema)) return schema.map((one) => mapped(one, isKept));
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).flatMap(([word, value]) => {
    if (!isKept(word)) return [];
    if (word !== "properties" && word !== "$defs") return [[word, mapped(value, isKept)]];
    const named = Object.entries(Object(value) as JsonObject);
    return [[word, Object.fromEntries(named.map(([name, one]) => [name, mapped(one, isKept)]))]];
  });
  return Object.fromEntries(members);
}
