import { expect, test } from "vitest";
import { roundHalfEven } from "./round-half-even.js";

test.each([
  [0.5, 0],
  [1.5, 2],
  [2.5, 2],
  [2.49, 2],
  [2.51, 3],
  [-0.5, 0],
  [-1.5, -2],
  [7, 7],
])("%f rounds to %i", (value, whole) => {
  expect(roundHalfEven(value) + 0).toBe(whole);
});
