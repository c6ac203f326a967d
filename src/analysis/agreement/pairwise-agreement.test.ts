import { expect, test } from "vitest";
import { ratingErrors } from "./pairwise-agreement.js";

test("errors of ratings are counted by hand", () => {
  expect(ratingErrors([1, 2, 5, 4], [1, 3, 3, 3])).toEqual({
    exact: 0.25,
    withinOne: 0.75,
    meanAbsoluteError: 1,
    bias: -0.5,
  });
});

test("a difference of 1 counts as one however it is written", () => {
  expect(ratingErrors([0.3], [1.3]).withinOne).toBe(1);
});
