import type { ChatReplies } from "../chat-replies.js";

export default {
  says: (text, { candidate = {}, ...rest } = {}) => ({
    candidates: [
      {
        content: { role: "model", parts: [{ text: "No, or yes?", thought: true }, { text }] },
        finishReason: "STOP",
        ...Object(candidate),
      },
    ],
    usageMetadata: {
      promptTokenCount: 25,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 28,
      totalTokenCount: 55,
    },
    modelVersion: "tiny",
    ...rest,
  }),
  cut: { candidate: { finishReason: "MAX_TOKENS" } },
  refused: { candidate: { finishReason: "SAFETY", finishMessage: "Not that" } },
  answeredBy: (modelVersion) => ({ modelVersion }),
  limitOf: ({ generationConfig }) => generationConfig.maxOutputTokens,
  turnsOf: ({ contents }) => contents,
} satisfies ChatReplies;
