import { describe, expect, test } from "vitest";
import type { Picture } from "../core/models.js";
import { scriptedChat, withTokens } from "../testing/fake-models.js";
import { mllmRating, paperRatingWording, promptRating, readRatingWording } from "./chat-rating.js";

const image = {} as Picture;
const input = { image, text: "a penguin with two stalks" };

test("a rating in JSON, by our rules, of the image and the quoted text", async () => {
  const { model, asked } = scriptedChat('{"rating": 3}');
  const metric = mllmRating({ model });
  expect(await metric.score(input)).toEqual({
    value: 3,
    question: 'Text: "a penguin with two stalks"',
  });
  const [system, user] = asked[0]?.messages ?? [];
  expect(system?.role).toBe("system");
  expect(JSON.stringify(system?.parts)).toContain("1 to 4");
  expect(user?.parts).toEqual([
    { type: "image", image },
    {
      type: "text",
      text: 'Text: "a penguin with two stalks"\nAnswer with JSON alone: {"rating": 1, 2, 3 or 4}',
    },
  ]);
  expect(metric).toMatchObject({
    name: "mllm-rating",
    convention: "json",
    template: 'Text: "{text}"',
    model: "test:parrot",
    statistic: "rating",
    range: [1, 4],
    direction: "higher",
  });
});

test("the expected rating is another convention, with another statistic", async () => {
  const { model } = scriptedChat(withTokens({ "4": 0.5, "2": 0.25, "1": 0.05, hm: 0.2 }));
  const metric = mllmRating({ model, convention: "expected" });
  const { value, details } = await metric.score(input);
  // (4 * 0.5 + 2 * 0.25 + 0.05) / 0.8
  expect(value).toBeCloseTo(3.1875, 9);
  expect(details?.remaining).toBeCloseTo(0.2, 9);
  expect(metric).toMatchObject({ convention: "expected", statistic: "sum of k P(k)" });
});

test("no rating is no answer, never a number", async () => {
  const outside = scriptedChat('{"rating": 5}', '{"rating": 0}').model;
  await expect(mllmRating({ model: outside }).score(input)).rejects.toMatchObject({
    reason: "unparsable",
  });
  const refusing = scriptedChat({ text: "I can't", finish: "refused" }).model;
  await expect(mllmRating({ model: refusing }).score(input)).rejects.toMatchObject({
    reason: "refused",
  });
  const { model } = scriptedChat("4");
  await expect(mllmRating({ model, convention: "expected" }).score(input)).rejects.toMatchObject({
    reason: "not-applicable",
  });
});

test("the paper's own words and its own member of the answer", async () => {
  const { model, asked } = scriptedChat('{"score": 2}');
  const metric = mllmRating({ model, own: paperRatingWording() });
  expect(await metric.score(input)).toMatchObject({ value: 2 });
  const said = JSON.stringify(asked[0]?.messages);
  expect(said).toContain("You are a strict expert judge of text–image alignment.");
  expect(said).toContain("a penguin with two stalks");
  expect(said).not.toContain("hard to please");
  expect(metric.convention).toMatch(/^json:words-[0-9a-f]{8}$/);
  expect(metric.template).toContain("Mostly correct: Main element correct");
});

test("other words of one's own are another metric, and a file that lacks some is refused", () => {
  const { model } = scriptedChat();
  const file = (instruction: string) =>
    `instruction: ${instruction}\nquestion: '{text}?'\nanswer: {json: J, expected: E}\n`;
  const conventions = ["Be kind.", "Be strict."].map(
    (words) => mllmRating({ model, own: readRatingWording("own.yaml", file(words)) }).convention,
  );
  expect(new Set(conventions).size).toBe(2);
  expect(() => readRatingWording("own.yaml", "instruction: Be kind.\n")).toThrow(/own\.yaml/);
});

describe("prompt rating", () => {
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
});
