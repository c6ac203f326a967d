import type { ChatReplies } from "../chat-replies.js";

export default {
  says: (text, rest = {}) => ({
    type: "message",
    role: "assistant",
    model: "tiny",
    content: [
      { type: "thinking", thinking: "No, or yes?", signature: "x" },
      { type: "redacted_thinking", data: "x" },
      ...(text === "" ? [] : [{ type: "text", text }]),
    ],
    stop_reason: "end_turn",
    usage: { input_tokens: 20, cache_read_input_tokens: 5, output_tokens: 30 },
    ...rest,
  }),
  cut: { stop_reason: "max_tokens" },
  refused: { stop_reason: "refusal", stop_details: { type: "refusal", explanation: "Not that" } },
  answeredBy: (model) => ({ model }),
  limitOf: ({ max_tokens }) => max_tokens,
  turnsOf: ({ messages }) => messages,
} satisfies ChatReplies;
