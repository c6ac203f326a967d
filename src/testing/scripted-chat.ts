import type { ChatModel, ChatReply, ChatRequest } from "../core/models.js";

/** A chat model that gives the replies of a list, one after another, and keeps what it was asked. */
export function scriptedChat(...replies: readonly (Partial<ChatReply> | string)[]) {
  const asked: ChatRequest[] = [];
  const trials: (number | undefined)[] = [];
  const model: ChatModel = {
    identity: { provider: "test", model: "parrot" },
    async chat(request, options) {
      options?.signal?.throwIfAborted();
      const reply = replies[asked.length];
      asked.push(request);
      trials.push(options?.trial);
      if (reply === undefined) throw new Error("Asked more often than the script foresees");
      const said = typeof reply === "string" ? { text: reply } : reply;
      return { text: "", finish: "stop", ...said };
    },
  };
  return { model, asked, trials };
}

/** Makes a reply: for each of its tokens the alternatives with their probabilities, the one that it says first. */
export function withTokens(...tokens: readonly Readonly<Record<string, number>>[]): ChatReply {
  const choices = tokens.map((alternatives) =>
    Object.entries(alternatives).map(([token, probability]) => ({
      token,
      logProbability: Math.log(probability),
    })),
  );
  return {
    text: choices.map(([first]) => first?.token).join(""),
    finish: "stop",
    tokens: choices.map((alternatives) => ({
      ...(alternatives[0] ?? { token: "", logProbability: 0 }),
      alternatives,
    })),
  };
}
