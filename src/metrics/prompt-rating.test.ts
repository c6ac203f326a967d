import { expect, test } from "vitest";
import type { Picture } from "../core/models.js";
import { scriptedChat, withTokens } from "../testing/fake-models.js";
import { promptRating } from "./chat-rating.js";

const input = { image: {} as Picture, text: "a penguin with two stalks" };

test("a rating from 1 to 10 in words, as a number or as its expected value", async () => {
  const { model, asked } = scriptedChat('{"rating": 8}');
  const metric = promptRating({ model });
  expect(await metric.score(input)).toMatchObject({ value: 8 });
  expect(JSON.stringify(asked[0]?.messages)).toContain("1 to 10");
  expect(metric).toMatchObject({ name: "prompt-rating", range: [1, 10], statistic: "rating" });
  const unsure = scriptedChat(withTokens({ "8": 0.5, "9": 0.5 })).model;
  const expected = promptRating({ model: unsure, convention: "expected" });
  expect((await expected.score(input)).value).toBeCloseTo(8.5, 12);
});

test("a model that was made for other ratings is refused", () => {
  const { model } = scriptedChat();
  expect(() => promptRating({ model: { ...model, madeFor: ["rating"] } })).toThrow(
    "Expected a model that rates from 1 to 10",
  );
});
