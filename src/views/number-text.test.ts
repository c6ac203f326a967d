import { expect, test } from "vitest";
import {
  boundNote,
  briefBoundNote,
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  probabilityText,
  scorePairText,
  sizeText,
  spokenPercent,
  spokenShare,
} from "./number-text.js";

test("counts are grouped by thousands", () => {
  expect([0, 999, 1800, 1234567].map(countText)).toEqual(["0", "999", "1,800", "1,234,567"]);
  expect(pluralText(1, "triplet")).toBe("1 triplet");
  expect(pluralText(1800, "reply", "replies")).toBe("1,800 replies");
});

test("negative numbers carry a minus sign, and zero never does", () => {
  expect(fixedText(-0.125, 2)).toBe("−0.13");
  expect(fixedText(-0.001, 2)).toBe("0.00");
});

test("an estimate has three significant figures and shares its decimals with the interval", () => {
  expect(estimateText({ value: 0.71234, low: 0.7, high: 0.725 })).toBe("0.712 [0.700, 0.725]");
  expect(estimateText({ value: -0.0043, low: -0.0065, high: 0.0021 })).toBe(
    "−0.00430 [−0.00650, 0.00210]",
  );
  expect(estimateText({ value: 12.34, low: null, high: null })).toBe("12.3");
  expect(estimateText({ value: null, low: null, high: null, reason: "no rows" })).toBe("–");
  expect(estimateText({ value: 0, low: 0, high: 0 })).toBe("0.00 [0.00, 0.00]");
});

test("shares are percents with one decimal, in tables and in sentences", () => {
  const share = { value: 0.3124, low: 0.271, high: 0.354 };
  expect(percentText(share)).toBe("31.2 [27.1, 35.4]");
  expect(spokenPercent(share)).toBe("31.2 % [27.1, 35.4]");
  expect(spokenPercent({ value: 0.004, low: 0.001, high: 0.01 })).toBe("0.4 % [0.1, 1.0]");
});

test("of none and of all, a one-sided bound stands in place of an interval without width", () => {
  const none = { value: 0, low: 0, high: 0, oneSided: { low: 0, high: 0.00994 } };
  const all = { value: 1, low: 1, high: 1, oneSided: { low: 0.972, high: 1 } };
  expect(percentText(none)).toBe("0.0 (up to 1.0)");
  expect(percentText(all)).toBe("100.0 (down to 97.2)");
  expect(percentText({ ...none, oneSided: { low: -0.005, high: 0.01 } })).toBe("0.0 (−0.5 to 1.0)");
  expect(spokenPercent(none)).toBe("none (at most 1.0 % at 95 % confidence)");
  expect(spokenShare(all, "40 rows")).toBe("all of 40 rows (at least 97.2 % at 95 % confidence)");
  expect(spokenPercent({ value: 0, low: null, high: null })).toBe("none");
  expect(briefBoundNote(percentText(all))).toContain("one-sided 95 % bound");
  expect(briefBoundNote("31.2 [27.1, 35.4]") + briefBoundNote(`0.0 (up to 1.0) ${boundNote}`)).toBe(
    "",
  );
});

test("sizes are told as people say them", () => {
  expect([512, 20_400, 3_210_000].map(sizeText)).toEqual(["512 bytes", "20 kB", "3.2 MB"]);
});

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

test("a p-value next to 0.05 shows on which side of it it lies", () => {
  expect([null, 0.0004, 0.0123, 0.0495, 0.0502, 0.06].map(probabilityText)).toEqual([
    ...["–", "<0.001", "0.012", "0.0495", "0.0502", "0.060"],
  ]);
});
