import fc from "fast-check";
import { expect, test } from "vitest";
import { exactSum } from "./exact-sum.js";

/** The sum by integers, of numbers that are whole ones times 2^-60. */
function byIntegers(values: readonly number[]): number {
  const whole = values.reduce((sum, value) => sum + BigInt(value * 2 ** 60), 0n);
  return Number(whole) / 2 ** 60;
}

const number = fc
  .tuple(fc.integer({ min: -(2 ** 53), max: 2 ** 53 }), fc.integer({ min: -60, max: 0 }))
  .map(([digits, power]) => digits * 2 ** power);

test("is the exact sum, rounded once", () => {
  expect(exactSum([1e16, 1, -1e16])).toBe(1);
  expect(exactSum([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52);
  expect(exactSum([1, 2 ** -53, -(2 ** -106)])).toBe(1);
  expect(exactSum([])).toBe(0);
  fc.assert(
    fc.property(fc.array(number, { maxLength: 20 }), (values) => {
      expect(exactSum(values)).toBe(byIntegers(values));
    }),
  );
});

test("is infinite where no number is so large", () => {
  expect(exactSum([1e308, 1e308, 1])).toBe(Number.POSITIVE_INFINITY);
});
