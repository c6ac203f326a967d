import { expect, test } from "vitest";
import { endOfWait, longWait } from "./wait-text.js";

test("the end of a wait is said as a length and as a time of day", () => {
  const noon = new Date(2026, 0, 31, 11, 59, 58).getTime();
  expect(endOfWait(noon, 7400)).toBe("in 7 s, at 12:00:05");
});

test.each([
  [301_000, "6 minutes"],
  [7_200_000, "120 minutes"],
  [999_999_999_000, "11574 days"],
  [Number.POSITIVE_INFINITY, "without end"],
])("a wait of %i ms is said as %s", (wait, words) => {
  expect(longWait(wait)).toBe(words);
});
