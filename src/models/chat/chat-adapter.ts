import {
  type ChatReply,
  type ChatRequest,
  imagesOf,
  type ModelIdentity,
} from "../../core/models.js";
import { namedModel } from "../../core/named-model.js";
import { NoAnswer } from "../../core/unscored.js";

/** No side of an image is sent longer than this, in pixels, where the settings do not say. */
export const defaultLongestSide = 1024;

/** A chat model's name in records; a size of images that is not the usual one is part of it. */
export function chatIdentity({
  provider,
  model,
  revision,
  baseUrl,
  longestSide,
}: {
  readonly provider: string;
  readonly model: string;
  readonly revision: string | undefined;
  readonly baseUrl: string;
  readonly longestSide: number;
}): ModelIdentity {
  const size = longestSide === defaultLongestSide ? undefined : `side-${longestSide}`;
  const named = [revision, size].filter((part) => part !== undefined).join("+");
  return { provider, model, ...(named === "" ? {} : { revision: named }), baseUrl };
}

/** Who answered, where the reply names another model or a snapshot of the one that was asked. */
export function answerer(
  model: string,
  named: string | null | undefined,
): Pick<ChatReply, "answeredBy" | "snapshot"> {
  const relation = named ? namedModel(model, named) : "same";
  if (!named || relation === "same") return {};
  return relation === "other" ? { answeredBy: named } : { snapshot: named };
}

/** What a request asks about: its images, or its words where it has none. */
export function askedItem(request: ChatRequest): string {
  const images = imagesOf(request).map(({ hash }) => hash);
  const parts = request.messages.flatMap((message) => message.parts);
  return images.length > 0
    ? images.join(" ")
    : parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Replies without the log-probabilities that were asked for, after which a model is asked for none. */
export const triesWithoutTokens = 3;

export const noLogProbabilities = (model: string, baseUrl: string) =>
  new NoAnswer(
    "not-applicable",
    `${model} at ${baseUrl} gives no log-probabilities of its tokens. Choose a model or server that ` +
      "does, or ask for sampled answers or a verbalized probability (yesNo in the settings; " +
      "calibrate --samples N)",
  );

/** Limits, in tokens, that leave room for a thought before an answer of a word or some JSON. */
export const tokenLimits = [0, 4096, 16_384] as const;
