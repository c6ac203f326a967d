import { expect, test } from "vitest";
import { askedWait, endOfWait, longWait } from "./waits.js";

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

const wait = (headers: Record<string, string>, text = "") =>
  askedWait({ headers: new Headers(headers), text }, 10_000);

test.each([
  ["7", 7000],
  ["1.5", 1500],
  ["2024", 2_024_000],
  ["6m0s", 360_000],
  ["Thu, 01 Jan 1970 00:01:00 GMT", 50_000],
  ["Thu, 01 Jan 1970 00:00:01 GMT", undefined],
  ["0", undefined],
  ["-3", undefined],
  ["soon", undefined],
  ["", undefined],
])("retry-after: %s asks to wait %j ms", (header, milliseconds) => {
  expect(wait({ "retry-after": header })).toBe(milliseconds);
});

test.each([
  [
    '[{"error": {"code": 429, "details": [{"@type": "RetryInfo", "retryDelay": "34.5s"}]}}]',
    34_500,
  ],
  ['{"error": {"retry_after": 3.5}}', 3500],
  ['{"error": {"metadata": {"retry_after_seconds": 17}}}', 17_000],
  ['{"error": "Model is loading", "estimated_time": 20.0}', 20_000],
  ["Quota exceeded for a model-2 with limit: 15. Please retry in 34.074s.", 34_074],
  ["Rate limit: 3 / min. Please try again in 20s.", 20_000],
  ["Please try again in 6m0s. Visit us", 360_000],
  ["try again in 7m12.5s.", 432_500],
  ["Please try again in 20ms.", 20],
  ["Please wait 2 minutes before the next request", 120_000],
  ["Please retry after 6 seconds.", 6000],
  ["Please try again in 1h2m3s", 3_723_000],
  ["Please try again later", undefined],
  ["You may retry 3 times", undefined],
  ["Too many images: at most 3 s", undefined],
  ["retry in 5 small steps", undefined],
])("%s asks to wait %j ms", (text, milliseconds) => {
  expect(wait({}, text)).toBe(milliseconds);
});

test.each([
  ["ratelimit-remaining", "ratelimit-reset", "30", 30_000],
  ["x-ratelimit-remaining", "x-ratelimit-reset", "1000000020", 999_999_990_000 + 20_000],
  ["x-ratelimit-remaining", "x-ratelimit-reset", "1000000020000", 1_000_000_010_000],
  ["x-ratelimit-remaining-tokens-day", "x-ratelimit-reset-tokens-day", "1m30s", 90_000],
  [
    "anthropic-ratelimit-tokens-remaining",
    "anthropic-ratelimit-tokens-reset",
    "1970-01-01T00:00:30Z",
    20_000,
  ],
])("%s of 0 waits for %s, %s", (remaining, reset, value, milliseconds) => {
  expect(wait({ [remaining]: "0", [reset]: value })).toBe(milliseconds);
  expect(wait({ [remaining]: "1", [reset]: value })).toBeUndefined();
  expect(wait({ [reset]: value })).toBeUndefined();
});

test("of several the more exact is obeyed, and a limit that is not used up says nothing", () => {
  expect(wait({ "retry-after-ms": "250", "retry-after": "1" })).toBe(250);
  expect(wait({ "retry-after": "0" }, "Please retry in 4s")).toBe(4000);
  const limits = (remaining: string) => ({
    "x-ratelimit-remaining-requests": "3",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-remaining-tokens": remaining,
    "x-ratelimit-reset-tokens": "6m0s",
  });
  expect(wait(limits("0"))).toBe(360_000);
  expect(wait(limits("12"))).toBeUndefined();
});
