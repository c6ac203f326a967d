import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { normalQuantile } from "./normal.js";
import {
  bcaInterval,
  bootstrapInterval,
  percentileInterval,
  quantile,
  select,
} from "./percentile-interval.js";

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

describe("bca interval", () => {
  const data = [0.12, 0.55, 0.31, 2.4, 0.05, 0.9, 1.7, 0.22, 0.41, 3.9, 0.08, 0.6, 0.75, 0.19];
  /** Resamples by a linear congruential generator, so that another program can draw the same. */
  const resamples = Array.from({ length: 999 }, (_, at) => {
    let state = (at * 2654435761 + 12345) % 2 ** 32;
    return data.map(() => {
      state = (1664525 * state + 1013904223) % 2 ** 32;
      return data[Math.floor((state * data.length) / 2 ** 32)] ?? 0;
    });
  });
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = (values: readonly number[]) =>
    mean(values.map((value) => (value - mean(values)) ** 2));
  const interval = (of: (values: readonly number[]) => number) =>
    bcaInterval({
      value: of(data),
      resampled: Float64Array.from(resamples, of),
      jackknifed: Float64Array.from(data, (_, without) =>
        of(data.filter((__, at) => at !== without)),
      ),
    });

  test("agrees with SciPy on the same resamples", () => {
    for (const [of, low, high] of [
      [mean, 0.43759098279576325, 1.5732189379449761],
      [variance, 0.3040677170877779, 2.8415050113188265],
      [
        (values: readonly number[]) => Math.log(mean(values)),
        -0.8112874228641707,
        0.4765559267782848,
      ],
    ] as const) {
      const found = interval(of);
      if ("reason" in found) throw new Error(found.reason);
      expect(Math.abs(found[0] - low)).toBeLessThan(1e-9);
      expect(Math.abs(found[1] - high)).toBeLessThan(1e-9);
    }
  });

  test("without bias and skew it is the percentile interval", () => {
    const symmetric = {
      value: 0,
      resampled: Float64Array.from({ length: 201 }, (_, at) => at - 100),
      jackknifed: Float64Array.of(-1, 0, 1),
    };
    const found = bcaInterval(symmetric);
    if ("reason" in found) throw new Error(found.reason);
    expect(found[0]).toBeCloseTo(-95, 9);
    expect(found[1]).toBeCloseTo(95, 9);
  });

  test("says why where there is none", () => {
    const good = {
      value: 1,
      resampled: Float64Array.of(0, 1, 2),
      jackknifed: Float64Array.of(0, 1, 5),
    };
    for (const [part, reason] of [
      [{ resampled: Float64Array.of(Number.NaN) }, "no resample has a value"],
      [{ value: 9 }, "all resamples lie on one side of the value"],
      [{ value: -9 }, "all resamples lie on one side of the value"],
      [{ jackknifed: Float64Array.of(1, Number.NaN) }, "undefined without one of the clusters"],
      [
        { jackknifed: Float64Array.of(0.3, 0.1 + 0.2) },
        "leaving any one cluster out changes nothing",
      ],
    ] as const) {
      expect(bcaInterval({ ...good, ...part })).toEqual({ reason });
    }
    // Every resample is the value itself: that is on neither side, and nothing is skewed.
    const still = { ...good, resampled: Float64Array.of(1, 1, 1) };
    expect(bcaInterval(still)).toEqual([1, 1]);
  });

  test("quantiles of the normal distribution", () => {
    for (const [p, expected] of [
      [1e-300, -37.0470962993612],
      [1e-10, -6.361340902404056],
      [0.001, -3.090232306167813],
      [0.02425, -1.972961051311885],
      [0.3, -0.5244005127080409],
      [0.5, 0],
      [0.9, 1.2815515655446004],
      [0.999999, 4.753424308817087],
      [0, -Infinity],
      [1, Infinity],
    ] as const) {
      if (Number.isFinite(expected)) expect(normalQuantile(p)).toBeCloseTo(expected, 10);
      else expect(normalQuantile(p)).toBe(expected);
    }
  });

  test("stretched, moved and turned round with its data, inside the resamples, low before high", () => {
    const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(values, values, fc.integer({ min: -20, max: 20 }), (drawn, without, value) => {
        const of = (change: (value: number) => number) =>
          bcaInterval({
            value: change(value),
            resampled: Float64Array.from(drawn, change),
            jackknifed: Float64Array.from(without, change),
          });
        const found = of((each) => each);
        const turned = of((each) => -each);
        const moved = of((each) => 4 * each + 3);
        if ("reason" in found || "reason" in turned || "reason" in moved) {
          expect(turned).toEqual(found);
          expect(moved).toEqual(found);
          return;
        }
        const [low, high] = found;
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...drawn));
        expect(high).toBeLessThanOrEqual(Math.max(...drawn));
        expect(turned[0]).toBeCloseTo(-high, 8);
        expect(turned[1]).toBeCloseTo(-low, 8);
        expect(moved[0]).toBeCloseTo(4 * low + 3, 8);
        expect(moved[1]).toBeCloseTo(4 * high + 3, 8);
      }),
    );
  });
});
