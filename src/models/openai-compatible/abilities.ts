import type { Json, JsonObject } from "../../core/json.js";
import type { ChatRequest } from "../../core/models.js";
import { tokenLimits } from "../chat/chat-adapter.js";

/**
 * Parts of the wire format that a model understands. It begins with what the common servers understand,
 * and is corrected by what the server refuses.
 */
export interface Abilities {
  readonly maxTokensName: "max_tokens" | "max_completion_tokens";
  /** The least that an answer is limited to, in tokens: models that think need more than the answer. */
  readonly leastTokens: number;
  /** Whether a larger limit was refused. */
  readonly isLargest: boolean;
  /** How an answer's JSON is enforced; by instruction where it is not. */
  readonly responseFormat: "json_schema" | "json_object" | "none";
  /** Words of JSON Schema that are left out. */
  readonly schemaWithout: readonly string[];
  /** How many alternatives of a token it gives at most; 0 where it gives no log-probabilities. */
  readonly mostAlternatives: number;
  /** Whether `logprobs` is that number itself (Together), not a flag beside `top_logprobs`. */
  readonly countsLogProbabilities: boolean;
  readonly takesTemperature: boolean;
  readonly takesSeed: boolean;
  /** Whether it takes a system message; else its words begin the user's turn. */
  readonly takesSystem: boolean;
  /** Whether it answers by a stream alone. */
  readonly streams: boolean;
}

export const firstGuess = (isOpenAi: boolean): Abilities => ({
  maxTokensName: isOpenAi ? "max_completion_tokens" : "max_tokens",
  leastTokens: 0,
  isLargest: false,
  responseFormat: "json_schema",
  schemaWithout: [],
  mostAlternatives: 20,
  countsLogProbabilities: false,
  takesTemperature: true,
  takesSeed: true,
  takesSystem: true,
  streams: false,
});

/** A larger limit of an answer; `undefined` where there is none. */
export function withMoreTokens(abilities: Abilities): Abilities | undefined {
  const leastTokens = tokenLimits.find((limit) => limit > abilities.leastTokens);
  return abilities.isLargest || leastTokens === undefined
    ? undefined
    : { ...abilities, leastTokens };
}

/**
 * Abilities left after a refusal that names a part of the request; `undefined` where the refusal is
 * about something else. Each correction goes one way, so that there is an end.
 *
 * @param message what the server said with its status 400, 403 or 422
 */
export function corrected(
  abilities: Abilities,
  message: string,
  {
    request,
    hasSwitchedName,
  }: { readonly request: ChatRequest; readonly hasSwitchedName: boolean },
): Abilities | undefined {
  const says = (words: RegExp) => words.test(message);
  if (!abilities.streams && says(/\bstream|non-?stream/i)) return { ...abilities, streams: true };
  if (request.maxTokens !== undefined && says(/max_?(completion_|output_)?tokens|output limit/i)) {
    const limited = otherLimit(abilities, says, hasSwitchedName);
    if (limited !== undefined) return limited;
  }
  if (request.answerSchema !== undefined && abilities.responseFormat !== "none") {
    const { schema } = request.answerSchema;
    const other = otherFormat(abilities, { schema, message });
    if (other !== undefined) return other;
  }
  if (
    request.topLogProbabilities !== undefined &&
    abilities.mostAlternatives > 0 &&
    says(/log_?-?prob|top_n_tokens/i)
  ) {
    const wantsCount =
      says(/(be|expected|type)\W+(an? |valid )*'?(integer|number)\b/i) && !says(/top_/i);
    if (wantsCount && !abilities.countsLogProbabilities) {
      return { ...abilities, countsLogProbabilities: true };
    }
    return { ...abilities, mostAlternatives: abilities.mostAlternatives > 5 ? 5 : 0 };
  }
  if (request.temperature !== undefined && abilities.takesTemperature && says(/temperature/i)) {
    return { ...abilities, takesTemperature: false };
  }
  if (request.seed !== undefined && abilities.takesSeed && says(/\bseed\b/i)) {
    return { ...abilities, takesSeed: false };
  }
  const hasSystem = request.messages.some(({ role }) => role === "system");
  if (hasSystem && abilities.takesSystem && says(/\b(system|developer|roles?)\b(?!"\s*:)/i)) {
    return { ...abilities, takesSystem: false };
  }
  return undefined;
}

function otherLimit(
  abilities: Abilities,
  says: (words: RegExp) => boolean,
  hasSwitchedName: boolean,
): Abilities | undefined {
  if (says(/limit was reached|too (small|low)|at least|minimum|greater than|higher|>=|≥/i)) {
    return withMoreTokens(abilities);
  }
  if (
    abilities.leastTokens > 0 &&
    says(/too (large|high|big|many|long)|at most|maximum|exceed|<=|≤|less than/i)
  ) {
    const leastTokens = tokenLimits.findLast((limit) => limit < abilities.leastTokens) ?? 0;
    return { ...abilities, leastTokens, isLargest: true };
  }
  if (hasSwitchedName) return undefined;
  const isOld = abilities.maxTokensName === "max_tokens";
  return { ...abilities, maxTokensName: isOld ? "max_completion_tokens" : "max_tokens" };
}

/** First without the words that are refused, then `json_object`, then by instruction. */
function otherFormat(
  abilities: Abilities,
  { schema, message }: { readonly schema: JsonObject; readonly message: string },
): Abilities | undefined {
  const { responseFormat, schemaWithout } = abilities;
  if (responseFormat === "json_schema") {
    const refused = usedWords(schema).filter(
      (word) => !schemaWithout.includes(word) && namePattern(word).test(message),
    );
    if (refused.length > 0) return { ...abilities, schemaWithout: [...schemaWithout, ...refused] };
  }
  if (!/response_?(format|schema)|json|structured|guided|grammar|schema/i.test(message)) {
    return undefined;
  }
  return {
    ...abilities,
    responseFormat: responseFormat === "json_schema" ? "json_object" : "none",
  };
}

/** A word as a message has it: `additionalProperties` or `additional_properties`. */
const namePattern = (word: string) =>
  new RegExp(`\\b${word.replaceAll(/[A-Z]/g, (letter) => `_?${letter}`)}\\b`, "i");

/** What was found out of a model, as people should know it; `undefined` where it changes no answer. */
export function newlyKnown(before: Abilities, after: Abilities): string | undefined {
  const dropped = after.schemaWithout.filter((word) => !before.schemaWithout.includes(word));
  if (dropped.length > 0) return `JSON Schema without ${dropped.join(", ")}`;
  if (after.responseFormat !== before.responseFormat) {
    return after.responseFormat === "none"
      ? "JSON by instruction alone, which it may not follow"
      : "JSON without a schema that is enforced (json_object); the schema stands in the question";
  }
  if (after.mostAlternatives === 0 && before.mostAlternatives > 0) {
    return (
      "no log-probabilities: what is read from them is unscored, unless sampled answers or a stated " +
      "probability are asked for"
    );
  }
  if (after.takesTemperature !== before.takesTemperature) {
    return "no temperature: answers are drawn at its own";
  }
  if (after.takesSeed !== before.takesSeed)
    return "no seed: the same question may be answered otherwise";
  if (after.takesSystem !== before.takesSystem) {
    return "no system message: its words begin the user's turn";
  }
  if (after.leastTokens > before.leastTokens) {
    return `at least ${after.leastTokens} tokens an answer, since it thinks first; thought is billed`;
  }
  return undefined;
}

/** Words of JSON Schema without which an answer is still asked for in its form; it is checked afterwards. */
const droppable = new Set([
  ...["additionalProperties", "propertyNames", "title", "default", "format", "pattern"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
]);

/** The words of a schema that can be left out. */
function usedWords(schema: Json): string[] {
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
