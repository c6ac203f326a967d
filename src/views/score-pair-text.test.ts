import { expect, test } from "vitest";
import { scorePairText } from "./number-text.js";

test("two scores share their decimals: three figures of the larger", () => {
  expect(scorePairText({ value: 0.7123 }, { value: 0.0512 })).toEqual(["0.712", "0.051"]);
  expect(scorePairText({ value: -3.456 }, { value: 12.34 })).toEqual(["−3.5", "12.3"]);
});

test("scores that differ never look like a tie, and a tie looks like one", () => {
  expect(scorePairText({ value: 0.71234 }, { value: 0.71236 })).toEqual(["0.7123", "0.7124"]);
  expect(scorePairText({ value: 0.5 }, { value: 0.5 })).toEqual(["0.500", "0.500"]);
  const near = scorePairText({ value: 0.5 }, { value: 0.5 + 1e-9 }, { isTie: true });
  expect(near).toEqual(["0.500", "0.500"]);
  expect(scorePairText({ value: 0 }, { value: 1e-7 })).toEqual(["0.000000000", "0.000000100"]);
});

test("no score is said with its reason", () => {
  expect(scorePairText({ value: null, reason: "timeout" }, { value: 0.25 })).toEqual([
    "timeout",
    "0.250",
  ]);
  expect(scorePairText({ value: null }, { value: null })).toEqual(["unscored", "unscored"]);
});

test("a score above 0 is not printed as 0", () => {
  expect(scorePairText({ value: 0.997 }, { value: 0.00002 })).toEqual(["0.997", "<0.001"]);
  expect(scorePairText({ value: 0.997 }, { value: 0 })).toEqual(["0.997", "0.000"]);
});
