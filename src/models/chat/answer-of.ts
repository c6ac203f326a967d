import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  modelName,
  turn,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";

/**
 * Asks a chat model.
 *
 * @throws NoAnswer "refused" where the provider declined to answer.
 */
export async function answerOf(
  model: ChatModel,
  request: ChatRequest,
  options: CallOptions = {},
): Promise<ChatReply> {
  const reply = await model.chat(request, options);
  if (reply.finish !== "refused") return reply;
  const said = reply.text.trim() === "" ? "" : `: ${excerpt(reply.text)}`;
  throw new NoAnswer("refused", `${modelName(model.identity)} declined to answer${said}`);
}

const longestTurn = 20_000;

/** A model's reply as a turn that it is shown again; of an endless text the beginning. */
export const assistantTurn = ({ text }: ChatReply): ChatMessage =>
  // Providers refuse an empty turn.
  turn("assistant", text.trim() === "" ? "(nothing)" : text.slice(0, longestTurn));

/** The beginning of a text on one line, for messages. */
export function excerpt(text: string): string {
  const line = text.slice(0, 10_000).trim().replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
