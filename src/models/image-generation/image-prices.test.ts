import { expect, test } from "vitest";
import { expectedImageCost, imageCost, listedImagePrice } from "./image-prices.js";

test("an image costs what its price depends on", () => {
  const made = { width: 1024, height: 1024 };
  expect(imageCost({ image: 0.5 }, made)).toBe(0.5);
  // 1.05 megapixels: two were begun.
  expect(imageCost({ megapixel: 0.5 }, made)).toBe(1);
  expect(imageCost({ images: { "standard 1024x1024": 3 } }, made)).toBe(3);
  const tokens = { tokens: { input: 5, output: 40 } };
  const usage = { inputTokens: 100_000, outputTokens: 50_000 };
  expect(imageCost(tokens, { ...made, usage })).toBeCloseTo(2.5, 12);
});

test("what is not known is unknown, never nothing", () => {
  const made = { width: 1024, height: 1024 };
  expect(imageCost(undefined, made)).toBeUndefined();
  expect(imageCost({ tokens: { input: 5, output: 40 } }, made)).toBeUndefined();
  expect(imageCost({ images: { "hd 1024x1024": 3 } }, made)).toBeUndefined();
  expect(listedImagePrice("https://api.openai.com/v1", "dall-e-17")).toBeUndefined();
  expect(listedImagePrice("http://localhost/v1", "dall-e-3")).toBeUndefined();
  expect(listedImagePrice("https://api.openai.com/v1", "dall-e-3")?.price).toHaveProperty("images");
});

test("what an image will cost is worked out before it is made, or is not known", () => {
  expect(expectedImageCost({ image: 0.5 }, {})).toBe(0.5);
  expect(expectedImageCost({ megapixel: 0.5 }, { size: "1000x1000" })).toBe(0.5);
  expect(expectedImageCost({ images: { "hd 1024x1024": 3 } }, { quality: "hd" })).toBe(3);
  expect(expectedImageCost({ images: { "hd 1024x1024": 3 } }, {})).toBeUndefined();
  expect(expectedImageCost({ tokens: { input: 1, output: 2, perImage: 1e6 } }, {})).toBe(2);
  expect(expectedImageCost({ tokens: { input: 1, output: 2 } }, {})).toBeUndefined();
});
