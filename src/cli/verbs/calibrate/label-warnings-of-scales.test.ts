import { expect, test } from "vitest";
import { scaleWarnings } from "./label-warnings.js";

const warned = (ratings: number | undefined, labels: readonly number[]) =>
  scaleWarnings(
    ratings,
    labels.map((label) => ({ label })),
  );

test("labels that end below the scale of the prompts are perhaps of another pool's", () => {
  expect(warned(5, [1, 2, 3, 4, 4])).toEqual([
    "No label is above 4, and the prompts ask for ratings from 1 to 5. If people used another scale: " +
      "--pool ordinal-4 (1 to 4), or a file of your own.",
  ]);
  expect(warned(5, [3, 1])[0]).toContain("--pool ordinal-4");
  expect(warned(9, [1, 4, 5])[0]).toContain("--pool ordinal (1 to 5)");
});

test("no pool is named that would not fit", () => {
  expect(warned(4, [1, 2, 3])).toEqual([
    "No label is above 3, and the prompts ask for ratings from 1 to 4. If people used another scale: " +
      "--pool with a file of your own.",
  ]);
});

test("a rating that is only rare says nothing of the scale", () => {
  expect(warned(4, [4, 2])).toEqual([
    "No label has the rating 1 or 3, on the scale from 1 to 4: the judge is not tested there.",
  ]);
  expect(warned(4, [1, 2, 3, 4])).toEqual([]);
  expect(warned(undefined, [1, 0])).toEqual([]);
});
