import { expect, test } from "vitest";
import { imageTokens } from "./token-prices.js";

test("counts an image as OpenAI's guide does", () => {
  // The examples of the guide: 4 tiles, 6 tiles, and 1024 patches.
  expect(imageTokens({ width: 1024, height: 1024 })).toBe(765);
  expect(imageTokens({ width: 2048, height: 4096 })).toBe(1105);
  expect(imageTokens({ width: 1024, height: 1024 }, { rule: { patch: 1 } })).toBe(1024);
  // 1800 x 2400 is more than 1536 patches.
  expect(imageTokens({ width: 1800, height: 2400 }, { rule: { patch: 1.5 } })).toBe(2304);
});

test("a small image is one tile, a large one as it is sent", () => {
  const rule = { base: 1, tile: 10 };
  expect(imageTokens({ width: 4, height: 4 }, { rule })).toBe(11);
  expect(imageTokens({ width: 4096, height: 4096 }, { rule, longestSide: 512 })).toBe(11);
});
