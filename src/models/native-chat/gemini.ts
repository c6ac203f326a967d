import type { ChatReply, ChatToken, TokenChoice } from "../../core/models.js";
import { saidTokens } from "../chat/said-text.js";
import {
  answerParts,
  type GeminiReply,
  geminiReply,
  geminiUsage,
  refusalOf,
} from "./gemini-reply.js";
import type { NativeFormat, NativeRequest, WireTurn } from "./native-chat.js";

/**
 * Gemini's `generateContent`. Log-probabilities are asked for where somebody wants them, and few of its models
 * give some; thought is no part of the answer, though its tokens are billed.
 */
export default {
  name: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  keyName: "GEMINI_API_KEY",
  keyHeader: "x-goog-api-key",
  hasLogProbabilities: true,
  call,
  read: answer,
} satisfies NativeFormat;

/** Seeds are signed integers of 32 bits. */
const seeds = 2 ** 31;

function call(model: string, request: NativeRequest) {
  const { turns, maxTokens, temperature, seed, topLogProbabilities, answerSchema } = request;
  const system = turns.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  return {
    path: `models/${model}:generateContent`,
    body: {
      ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(wirePart) } }),
      contents: turns
        .filter(({ role }) => role !== "system")
        .map(({ role, parts }) => ({
          role: role === "assistant" ? "model" : "user",
          parts: parts.map(wirePart),
        })),
      generationConfig: {
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(seed === undefined ? {} : { seed: seed % seeds }),
        ...(answerSchema === undefined ? {} : { responseMimeType: "application/json" }),
        ...(topLogProbabilities === undefined
          ? {}
          : { responseLogprobs: true, logprobs: topLogProbabilities }),
      },
    },
  };
}

const wirePart = (part: WireTurn["parts"][number]) =>
  "text" in part
    ? { text: part.text }
    : { inlineData: { mimeType: part.mediaType, data: part.data } };

function answer(json: unknown): ChatReply {
  const reply = geminiReply(json);
  const refusal = refusalOf(reply);
  const usage = geminiUsage(reply);
  const text = answerParts(reply)
    .map((part) => part.text ?? "")
    .join("");
  const tokens = tokensOf(reply);
  const { finishReason = "STOP" } = reply.candidates?.[0] ?? {};
  const ended = { STOP: "stop", MAX_TOKENS: "length" } as const;
  const isKnown = finishReason === "STOP" || finishReason === "MAX_TOKENS";
  return {
    text: refusal ?? text,
    finish: refusal !== undefined ? "refused" : isKnown ? ended[finishReason] : "other",
    ...(tokens.length === 0 ? {} : { tokens: saidTokens({ text, tokens }) ?? tokens }),
    ...(usage === undefined ? {} : { usage }),
    ...(reply.modelVersion ? { answeredBy: reply.modelVersion } : {}),
  };
}

/** Tokens of the answer. Log-probabilities above 0 count as 0. */
function tokensOf({ candidates }: GeminiReply): ChatToken[] {
  const { chosenCandidates = [], topCandidates = [] } = candidates?.[0]?.logprobsResult ?? {};
  const choice = ({ token, logProbability }: TokenChoice): TokenChoice => ({
    token,
    logProbability: Math.min(0, logProbability),
  });
  return chosenCandidates.map((chosen, at) => {
    const listed = (topCandidates[at]?.candidates ?? []).map(choice);
    const own = choice(chosen);
    const isAmong = listed.some(({ token }) => token === own.token);
    return { ...own, alternatives: isAmong ? listed : [own, ...listed] };
  });
}
