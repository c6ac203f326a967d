import type { ChatRequest } from "../../core/models.js";

/**
 * Parts of the wire format that a model understands. It begins with what the common servers understand,
 * and is corrected by what the server refuses.
 */
export interface Abilities {
  readonly maxTokensName: "max_tokens" | "max_completion_tokens";
  /** How an answer's JSON is enforced. */
  readonly responseFormat: "json_schema" | "json_object" | "none";
  /** How many alternatives of a token it gives at most; 0 where it gives no log-probabilities. */
  readonly mostAlternatives: number;
  readonly takesTemperature: boolean;
  readonly takesSeed: boolean;
}

export const firstGuess = (isOpenAi: boolean): Abilities => ({
  maxTokensName: isOpenAi ? "max_completion_tokens" : "max_tokens",
  responseFormat: "json_schema",
  mostAlternatives: 20,
  takesTemperature: true,
  takesSeed: true,
});

/**
 * Abilities left after a refusal that names a part of the request; `undefined` where the refusal is
 * about something else. Each correction goes one way, so that there is an end.
 *
 * @param message what the server said with its status 400 or 422
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
  if (request.maxTokens !== undefined && says(/max_(completion_)?tokens/) && !hasSwitchedName) {
    const isOld = abilities.maxTokensName === "max_tokens";
    return { ...abilities, maxTokensName: isOld ? "max_completion_tokens" : "max_tokens" };
  }
  if (
    request.answerSchema !== undefined &&
    abilities.responseFormat !== "none" &&
    says(/response_?format|json_?(schema|object)|structured|guided|grammar/i)
  ) {
    const isFirst = abilities.responseFormat === "json_schema";
    return { ...abilities, responseFormat: isFirst ? "json_object" : "none" };
  }
  if (
    request.topLogProbabilities !== undefined &&
    abilities.mostAlternatives > 0 &&
    says(/log_?-?prob/i)
  ) {
    return { ...abilities, mostAlternatives: abilities.mostAlternatives > 5 ? 5 : 0 };
  }
  if (request.temperature !== undefined && abilities.takesTemperature && says(/temperature/i)) {
    return { ...abilities, takesTemperature: false };
  }
  if (request.seed !== undefined && abilities.takesSeed && says(/\bseed\b/i)) {
    return { ...abilities, takesSeed: false };
  }
  return undefined;
}
