import { expect, test } from "vitest";
import { retryAfter } from "./retry-after.js";

test.each([
  ["0", 0],
  ["7", 7000],
  ["1.5", 1500],
  ["Thu, 01 Jan 1970 00:01:00 GMT", 50_000],
  ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
  ["-3", undefined],
  ["soon", undefined],
  ["2024", 2_024_000],
  ["", undefined],
  [null, undefined],
])("%j asks to wait %j ms", (header, wait) => {
  expect(retryAfter(header, 10_000)).toBe(wait);
});
