import { expect, test } from "vitest";
import { isNotable, soughtEntities, unfoundText } from "./sought-entities.js";

const details = (...masks: readonly (readonly [on: string, mask: string])[]) => ({
  questions: masks.map(([on, mask]) => ({ on, mask })),
});

test("an entity counts once an image, however many questions are asked of it", () => {
  const sought = soughtEntities([
    details(["skirt", "found"], ["skirt", "found"], ["hat", "none"], ["hat", "none"]),
    details(["skirt", "none"]),
    details(["skirt", "not asked"]),
    { questions: [{ question: "a red hat?", probability: 1 }] },
    undefined,
  ]);
  expect(sought).toEqual({ all: 3, notFound: 2 });
  expect(unfoundText(sought)).toBe(
    "2 of 3 entities were not found and were judged on the whole image",
  );
  expect(unfoundText({ all: 36, notFound: 1 })).toMatch(/^1 of 36 entities was not found and was/);
});

test("from a tenth on it is notable", () => {
  expect(isNotable({ all: 0, notFound: 0 })).toBe(false);
  expect(isNotable({ all: 11, notFound: 1 })).toBe(false);
  expect(isNotable({ all: 10, notFound: 1 })).toBe(true);
});
