import fc from "fast-check";
import { expect, test } from "vitest";
import { shareAfterNone, wilsonInterval } from "./share-interval.js";

test("agrees with the published interval for 81 of 263 and for small counts", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const;
  for (const [k, n, low, high] of published) {
    const interval = wilsonInterval(k, n);
    expect(interval.value).toBe(k / n);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  }
});

test("its bounds are where the share lies 1.96 standard errors off", () => {
  const counts = fc.integer({ min: 2, max: 5000 }).chain((n) => {
    return fc.record({ n: fc.constant(n), k: fc.integer({ min: 1, max: n - 1 }) });
  });
  fc.assert(
    fc.property(counts, ({ n, k }) => {
      const { low, high } = wilsonInterval(k, n);
      for (const bound of [low ?? 0, high ?? 0]) {
        const errors = Math.abs(k / n - bound) / Math.sqrt((bound * (1 - bound)) / n);
        expect(errors).toBeCloseTo(1.96, 3);
      }
      const mirrored = wilsonInterval(n - k, n);
      expect(mirrored.low).toBeCloseTo(1 - (high ?? 0), 12);
    }),
  );
});

test("all or none keep a width, and nothing has no share", () => {
  expect(wilsonInterval(10, 10)).toMatchObject({ value: 1, high: 1 });
  expect(wilsonInterval(10, 10).low).toBeCloseTo(0.7225, 4);
  expect(wilsonInterval(0, 0)).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "there are none",
  });
});

test("is the share with which none of n happens in one case of twenty", () => {
  for (const n of [1, 3, 20, 300]) expect((1 - shareAfterNone(n)) ** n).toBeCloseTo(0.05, 12);
  expect(shareAfterNone(300)).toBeCloseTo(0.00994, 5);
});

test("says nothing from nothing", () => {
  expect(shareAfterNone(0)).toBe(1);
});
