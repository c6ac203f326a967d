import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { bootstrapInterval } from "./bootstrap-interval.js";

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
