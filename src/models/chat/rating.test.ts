import { expect, test } from "vitest";
import { scriptedChat, withTokens } from "../../testing/scripted-chat.js";
import { rating } from "./rating.js";

const request = { messages: [] };

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
    message: expect.stringContaining("1, 2, 3 are not among them and could have 40.0 % each"),
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

test("tokens carry no two-digit scale", async () => {
  const { model } = scriptedChat();
  await expect(rating({ model, request, scale: 10, way: "tokens" })).rejects.toThrow(
    "Expected a scale from 2 to 9 for tokens but received 10",
  );
});
