import { expect, test } from "vitest";
import { chatModelOf } from "./own-model.js";

test.each(["openai-compatible", "anthropic", "gemini"] as const)(
  "a configured model of %s is one to chat with",
  (provider) => {
    const encoder = { provider: "transformers-js", model: "owner/clip" } as const;
    const models = { encoder, chat: { provider, model: "tiny" } };
    expect(chatModelOf({ models })).toBe("chat");
  },
);

test("a model that does not chat is none", () => {
  const models = { encoder: { provider: "transformers-js", model: "owner/clip" } } as const;
  expect(chatModelOf({ models })).toBeUndefined();
});
