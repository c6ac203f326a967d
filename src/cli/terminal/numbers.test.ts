import { describe, expect, it, test } from "vitest";
import { dollars, duration, estimate3, number3 } from "./numbers.js";

describe("number3", () => {
  it.each([
    [0.71649, "0.716"],
    [-0.71649, "-0.716"],
    [0, "0"],
    [0.000123456, "0.000123"],
    [0.0000123456, "1.23e-5"],
    [12.345, "12.3"],
    [1234.5, "1235"],
    [1234, "1234"],
    [1234567.8, "1.23e+6"],
  ])("writes %d as %s", (value, text) => {
    expect(number3(value)).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("writes no %d", (value) => {
    expect(() => number3(value)).toThrow(RangeError);
  });
});

describe("estimate3", () => {
  it("writes the interval behind the value, with the same decimals", () => {
    expect(estimate3({ value: 0.716, low: 0.69, high: 0.7412 })).toBe("0.716 [0.690, 0.741]");
  });

  it("says why there is none", () => {
    const none = { value: null, low: null, high: null };
    expect(estimate3({ ...none, reason: "no rows" })).toBe("undefined (no rows)");
    expect(estimate3(none)).toBe("undefined");
  });
});

it.each([
  [0.0042, "$0.0042"],
  [0.01014, "$0.0101"],
  [0.5, "$0.50"],
  [0.0000123456, "$0.0000123"],
  [12.3456, "$12.35"],
  [1234567, "$1234567.00"],
  [0, "$0.00"],
])("%d dollars are %s", (amount, text) => {
  expect(dollars(amount)).toBe(text);
});

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
