import { expect, test } from "vitest";
import { styleNames } from "../painter/sprites.js";
import { evaluateSwaps, paintSwaps } from "./swapping.js";

const pictures = await paintSwaps({ count: 3, seed: 0 });
const asking = (probabilityOf: (question: string) => number) => ({
  identity: { provider: "test", model: "answers" },
  probabilityOfYes: async (_: unknown, questions: readonly string[]) =>
    questions.map(probabilityOf),
});

test("pictures show what one text says, and the other says the same of other entities", () => {
  expect(new Set(pictures.map(({ text }) => text)).size).toBe(3);
  for (const { text, swapped } of pictures) {
    expect(swapped).not.toBe(text);
    const words = (sentence: string) =>
      sentence
        .toLowerCase()
        .match(/[a-z-]{3,}/g)
        ?.sort();
    expect(words(swapped)).toEqual(words(text));
  }
});

test("a failure is the swapped text strictly higher; rounding is a tie", async () => {
  const isSwapped = (question: string) =>
    pictures.some(({ swapped }) => question.includes(swapped));
  const right = await evaluateSwaps(
    asking((question) => (isSwapped(question) ? 0.2 : 0.9)),
    pictures,
  );
  expect(right).toMatchObject({ failures: { n: 3, successes: 0 }, ties: 0 });
  const wrong = await evaluateSwaps(
    asking((question) => (isSwapped(question) ? 0.9 : 0.2)),
    pictures,
  );
  expect(wrong).toMatchObject({ failures: { n: 3, successes: 3 }, ties: 0 });
  for (const [style, { n, successes }] of Object.entries(wrong.styles)) {
    const some = pictures.filter((picture) => picture.style === style);
    expect({ n, successes }).toEqual({ n: some.length, successes: some.length });
  }
  expect(Object.keys(wrong.styles).every((style) => styleNames().includes(style))).toBe(true);
  const rounding = asking((question) => (isSwapped(question) ? 0.5 + 1e-9 : 0.5));
  expect(await evaluateSwaps(rounding, pictures)).toMatchObject({
    failures: { n: 3, successes: 0 },
    ties: 3,
  });
});
