import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { bootstrapInterval, percentileInterval, quantile, select } from "./percentile-interval.js";

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));

test("what is selected is what sorting puts there, with none larger before and none smaller behind", () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 60 }), fc.nat(), (numbers, any) => {
      const values = Float64Array.from(numbers);
      const place = any % values.length;
      select(values, place);
      const selected = values[place] ?? Number.NaN;
      expect(Math.max(...values.subarray(0, place))).toBeLessThanOrEqual(selected);
      expect(Math.min(...values.subarray(place + 1))).toBeGreaterThanOrEqual(selected);
      expect(values.toSorted()).toEqual(Float64Array.from(numbers).sort());
    }),
  );
});

test("percentiles are the quantiles of what is defined, sorted", () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), (numbers) => {
      const sorted = numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
      const expected =
        sorted.length === 0 ? undefined : [quantile(sorted, 0.025), quantile(sorted, 0.975)];
      expect(percentileInterval(numbers)).toEqual(expected);
    }),
  );
});

test("interpolates between order statistics as R's type 7 does", () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
  expect(quantile([10, 20, 50], 0.975)).toBeCloseTo(48.5, 12);
  expect(quantile([7], 0.3)).toBe(7);
});

test("has the smallest and the largest number at its ends and never falls", () => {
  // Without -0, which is 0 after the first sum.
  const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value + 0);
  const numbers = fc.array(number, { minLength: 1 });
  const share = fc.double({ noNaN: true, min: 0, max: 1 });
  fc.assert(
    fc.property(numbers, share, share, (values, one, other) => {
      const sorted = Float64Array.from(values).sort();
      expect(quantile(sorted, 0)).toBe(sorted[0]);
      expect(quantile(sorted, 1)).toBe(sorted.at(-1));
      const [lower, upper] = [Math.min(one, other), Math.max(one, other)];
      expect(quantile(sorted, lower)).toBeLessThanOrEqual(quantile(sorted, upper) + 1e-9);
    }),
  );
});

test("refuses to make one up from nothing", () => {
  expect(() => quantile([], 0.5)).toThrow(RangeError);
});

const interval = (values: readonly number[], resamples = 4000) =>
  bootstrapInterval({
    units: values.length,
    statistic: (drawn) => drawn.reduce((sum, at) => sum + (values[at] ?? 0), 0) / drawn.length,
    resamples,
    random: randomFrom(0, "test"),
  });

test("covers the quantiles of the binomial distribution", () => {
  // The 2.5 and 97.5 % quantiles of Binomial(100, 0.3) are 21 and 39 of 100.
  const [low = 0, high = 0] = interval(Array.from({ length: 100 }, (_, at) => +(at < 30))) ?? [];
  expect(Math.abs(low - 0.21)).toBeLessThan(0.015);
  expect(Math.abs(high - 0.39)).toBeLessThan(0.015);
});

test("leaves undefined draws out, and says nothing where there is nothing", () => {
  const all = { units: 3, resamples: 50, random: randomFrom(0) };
  const sometimes = { ...all, statistic: (drawn: Int32Array) => (drawn[0] === 0 ? 5 : Number.NaN) };
  expect(bootstrapInterval(sometimes)).toEqual([5, 5]);
  expect(bootstrapInterval({ ...all, statistic: () => Number.NaN })).toBeUndefined();
  expect(interval([1])).toBeUndefined();
  expect(interval([])).toBeUndefined();
});

test("the same stream gives the same interval", () => {
  expect(interval([1, 2, 3, 8], 100)).toEqual(interval([1, 2, 3, 8], 100));
});
