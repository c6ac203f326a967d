import { expect, test } from "vitest";
import { completion, misbehavingServer } from "../../../test/support/misbehaving-server.js";
import type { ChatReply, ChatRequest } from "../../core/models.js";
import { scriptedChat, withTokens } from "../../testing/fake-models.js";
import { openAiCompatible } from "../openai-compatible/openai-compatible.js";
import { rating } from "./rating-answer.js";

const request = { messages: [] };
const asking: ChatRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "How well does it fit?" }] }],
};

test("the mean of the digits under their probabilities", async () => {
  const { model } = scriptedChat(withTokens({ "4": 0.6, " 3": 0.2, "1": 0.1, "7": 0.1 }));
  const answer = await rating({ model, request, scale: 4, way: "tokens" });
  expect(answer.value).toBeCloseTo((4 * 0.6 + 3 * 0.2 + 0.1) / 0.9, 12);
  expect(answer.probabilities?.map((share) => share * 0.9)).toEqual([
    expect.closeTo(0.1, 12),
    0,
    expect.closeTo(0.2, 12),
    expect.closeTo(0.6, 12),
  ]);
  expect(answer.remaining).toBeCloseTo(0.1, 12);
});

test("a rating that is not listed counts with the most that it can have had", async () => {
  const { model } = scriptedChat(withTokens({ "4": 0.97 }));
  const answer = await rating({ model, request, scale: 4, way: "tokens" });
  // Each of the others may have had the 3 % that are left.
  expect(answer.value).toBeCloseTo((4 * 0.97 + (1 + 2 + 3) * 0.03) / (0.97 + 3 * 0.03), 12);
  expect(answer.unlisted).toEqual([1, 2, 3]);
  const unsure = scriptedChat(withTokens({ "4": 0.6 })).model;
  await expect(rating({ model: unsure, request, scale: 4, way: "tokens" })).rejects.toMatchObject({
    reason: "unparsable",
    message: expect.stringMatching(/1, 2, 3 .* 40\.0 %/),
  });
});

test("a whole number from JSON, within the scale", async () => {
  const asked = scriptedChat('{"rating": 3}').model;
  expect(await rating({ model: asked, request, scale: 4, way: "json" })).toEqual({ value: 3 });
  const beyond = scriptedChat('{"rating": 5}', '{"rating": 5}').model;
  await expect(rating({ model: beyond, request, scale: 4, way: "json" })).rejects.toMatchObject({
    reason: "unparsable",
  });
});

test.each([
  ["8", 10, 8],
  [" 7/10.\n", 10, 7],
  ["**7 / 10**", 10, 7],
  ["3 out of 4", 4, 3],
  ["<think>Is it a 2?</think>\n\n3", 4, 3],
])(
  "a server's bare reply %j to a scale of %d is read without another call",
  async (text, scale, value) => {
    let calls = 0;
    const server = await misbehavingServer({
      behave: () => {
        calls += 1;
        return { kind: "reply", json: completion({ text }) };
      },
    });
    const model = openAiCompatible("judge", { baseUrl: server.baseUrl });
    expect(await rating({ model, request: asking, scale, way: "json" })).toEqual({ value });
    expect(calls).toBe(1);
  },
);

test.each([
  ["7/10", 4],
  ["11", 10],
  ["0", 10],
  ["7.5", 10],
  ["-3", 4],
  ["Between 3 and 4", 4],
  ["3 or 4", 4],
])("a bare reply %j is no rating from 1 to %d", async (text, scale) => {
  const { model, asked } = scriptedChat(text, text);
  await expect(rating({ model, request, scale, way: "json" })).rejects.toMatchObject({
    reason: "unparsable",
  });
  expect(asked).toHaveLength(2);
});

test("a number that was cut off is no rating, since 1 may be the beginning of 10", async () => {
  const { model } = scriptedChat({ text: "1", finish: "length" });
  await expect(rating({ model, request, scale: 10, way: "json" })).rejects.toMatchObject({
    reason: "unparsable",
  });
});

const ofTen = async (...tokens: NonNullable<ChatReply["tokens"]>[number][]) => {
  const reply = {
    text: tokens.map(({ token }) => token).join(""),
    finish: "stop",
    tokens,
  } as const;
  const model = { identity: { provider: "test", model: "ten" }, chat: async () => reply };
  return rating({ model, request, scale: 10, way: "tokens" });
};
const token = (shares: Readonly<Record<string, number>>) => {
  const alternatives = Object.entries(shares).map(([word, share]) => ({
    token: word,
    logProbability: Math.log(share),
  }));
  const [first] = alternatives;
  if (first === undefined) throw new Error("Expected a token");
  return { ...first, alternatives };
};

test("a scale of ten, whose 10 is one token", async () => {
  const { value } = await ofTen(token({ "10": 0.6, "9": 0.3, "1": 0.1 }));
  expect(value).toBeCloseTo(6 + 2.7 + 0.1, 12);
});

test("a scale of ten, whose 10 is two tokens: what follows the 1 tells", async () => {
  const ten = await ofTen(token({ "1": 0.8, "9": 0.2 }), token({ "0": 0.75, ".": 0.25 }));
  expect(ten.value).toBeCloseTo(10 * 0.6 + 0.2 + 9 * 0.2, 12);
  expect(ten.probabilities?.[0]).toBeCloseTo(0.2, 12);
  expect(ten.probabilities?.[9]).toBeCloseTo(0.6, 12);
});

test("a 1 of which nobody knows what followed counts for nothing, or is no answer", async () => {
  const nine = await ofTen(token({ "9": 0.94, "8": 0.03, "1": 0.03 }));
  expect(nine.value).toBeCloseTo((9 * 0.94 + 8 * 0.03) / 0.97, 12);
  expect(nine.remaining).toBeCloseTo(0.03, 12);
  await expect(ofTen(token({ "9": 0.9, "1": 0.1 }))).rejects.toMatchObject({
    reason: "unparsable",
    message: expect.stringMatching(/ 10\.0 % .*"1"/),
  });
});

test("tokens carry no greater scale", async () => {
  const { model } = scriptedChat();
  await expect(rating({ model, request, scale: 11, way: "tokens" })).rejects.toThrow(
    /\b2 to 10\b.*\b11$/,
  );
});
