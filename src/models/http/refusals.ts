import { InputError } from "../../core/errors.js";
import { NoAnswer, unscoredReasons } from "../../core/unscored.js";
import type { CallFailure } from "./call-failure.js";

const moderation =
  /content.?(filter|policy|management)|moderat|safety|flagged|nsfw|(as|is) sensitive|sensitive content|responsible.?ai/i;

/** Whether words of a provider's say that it declines for what was asked. */
export const isModeration = (words: string): boolean => moderation.test(words);

/**
 * Class of a call that a provider turns down for good: the user's settings are wrong, the content is
 * refused, or this one request is bad.
 */
export function refusalOf(
  { kind, status = 0, message, providerCode = "" }: CallFailure,
  {
    model,
    baseUrl,
    keyName,
    hasKey,
    hasAnswered,
  }: {
    readonly model: string;
    readonly baseUrl: string;
    readonly keyName: string;
    readonly hasKey: boolean;
    /** Whether the model has answered before: then the settings are right. */
    readonly hasAnswered: boolean;
  },
): InputError | NoAnswer {
  if (kind === "redirect") {
    return new NoAnswer(
      "provider-error",
      `${baseUrl} answers with ${message}. Where that is its right address, make it the base URL ` +
        "(baseUrl in the settings)",
    );
  }
  if (isModeration(providerCode) || ([400, 403, 422].includes(status) && isModeration(message))) {
    return new NoAnswer("refused", `${baseUrl} refused the content: ${message}`);
  }
  if (hasAnswered && [401, 403, 404, 405].includes(status)) {
    return new NoAnswer("provider-error", `${baseUrl} turned away this one request: ${message}`);
  }
  if (status === 401 || status === 403) {
    return new InputError(`${baseUrl} does not let us in: ${message}`, {
      hint: hasKey
        ? `Is the key in ${keyName} right, and may it use ${model}?`
        : keyName === ""
          ? "Name the environment variable that holds its key: keyVariable in touchstone.config.yaml"
          : `Set the key in the environment or in .env: ${keyName}=…`,
    });
  }
  if (status === 404 || status === 405) {
    return new InputError(`${baseUrl} does not know the model ${model}: ${message}`, {
      hint: "Is the name right, and does the base URL end as the server's documents say (often /v1)?",
    });
  }
  // The lab's server names the reason that its model had.
  const own = unscoredReasons.find((reason) => reason.replaceAll("-", "_") === providerCode);
  return new NoAnswer(own ?? "bad-input", `${baseUrl} refused the request: ${message}`);
}
