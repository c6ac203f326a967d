import { expect, test } from "vitest";
import { duration } from "./duration.js";

test.each([
  [0.4, "under 1 s"],
  [1, "1 s"],
  [59.4, "59 s"],
  [59.6, "1 min"],
  [125, "2 min 5 s"],
  [3599.7, "1 h"],
  [4330, "1 h 12 min"],
  [90_000, "25 h"],
])("%d s is %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
