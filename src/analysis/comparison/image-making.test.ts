import { expect, test } from "vitest";
import type { ImageMaking } from "../../core/records.js";
import { type MadeImage, makingDifferences, makingOfImages } from "./image-making.js";

const images = (
  by: string,
  prompts: number,
  { each = 1, rewritten = 0, ...making }: ImageMaking & { each?: number; rewritten?: number },
): MadeImage[] =>
  Array.from({ length: prompts * each }, (_, at) => ({
    by,
    prompt: `p${at % prompts}`,
    making,
    isRewritten: at < rewritten,
  }));

test("settings are gathered by generator", () => {
  const made = makingOfImages([
    ...images("a", 3, { each: 2, size: "8x8", steps: 4 }),
    ...images("b", 1, { size: "8x8", steps: 4 }),
    ...images("b", 1, { size: "8x9", weights: "x" }),
  ]);
  expect(made).toEqual([
    {
      by: "a",
      images: 6,
      prompts: 3,
      perPrompt: [2],
      settings: { size: ["8x8"], steps: [4] },
      rewritten: 0,
    },
    {
      by: "b",
      images: 2,
      prompts: 1,
      perPrompt: [2],
      settings: { size: ["8x8", "8x9"], steps: [4], weights: ["x"] },
      rewritten: 0,
    },
  ]);
});

test.each([
  ["nothing but the model", { steps: 50 }, []],
  ["size", { size: "16x16" }, ["Sizes differ: a 8x8, b 16x16"]],
  ["the count of images", { each: 3 }, ["Images per prompt differ: a 2, b 3"]],
  ["the prompts of one", { rewritten: 5 }, ["rewritten on one side: a 0 of 8, b 5 of 8"]],
])("generators that differ in %s", (_, other, words) => {
  const both = { size: "8x8", each: 2 };
  const made = makingOfImages([...images("a", 4, both), ...images("b", 4, { ...both, ...other })]);
  const found = makingDifferences(made);
  expect(found).toHaveLength(words.length);
  for (const [at, word] of words.entries()) expect(found[at]).toContain(word);
});

test("the order in which values occur is no difference", () => {
  const sized = (by: string, sizes: readonly string[]) =>
    sizes.flatMap((size) => images(by, 1, { size }));
  const made = makingOfImages([...sized("a", ["8x8", "9x9"]), ...sized("b", ["9x9", "8x8"])]);
  expect(makingDifferences(made)).toEqual([]);
});

test("a generator whose weights were changed between is not one model", () => {
  const made = makingOfImages([
    ...images("a", 1, { weights: "x" }),
    ...images("a", 1, { weights: "y" }),
  ]);
  expect(makingDifferences(made)).toEqual([
    expect.stringContaining("a used several weights: x, y"),
  ]);
  expect(makingDifferences([])).toEqual([]);
});
