import fc from "fast-check";
import { expect, test } from "vitest";
import reference from "./swap-reference.json" with { type: "json" };
import { type SwapTestOptions, swapTest } from "./swap-test.js";

const few: SwapTestOptions = { resamples: 100 };
const rowsOf = (...pairs: readonly (readonly [number | null, number | null])[]) =>
  pairs.map(([original, swapped], at) => ({ id: `${at}`, metric: "m", original, swapped }));
const counted = (rows: ReturnType<typeof rowsOf>, options: SwapTestOptions = few) => {
  const { m } = swapTest(rows, options).metrics;
  if (m === undefined) throw new RangeError("Expected the metric");
  return m;
};

test("a failure is a swapped score that is better, a tie is half of one beside it", () => {
  const rows = rowsOf([0.7, 0.8], [0.7, 0.7], [0.7, 0.6], [0.7, 0.1], [null, 0.3]);
  const found = counted(rows);
  expect(found).toMatchObject({ n: 4, unscored: 1, failures: 1, ties: 1 });
  expect(found.failureRate.value).toBe(1 / 4);
  expect(found.tieRate.value).toBe(1 / 4);
  expect(found.failuresAndHalfTies.value).toBe(1.5 / 4);
  expect(found.bounds).toEqual({ low: 1 / 5, high: 2 / 5 });
  const lower = counted(rows, { ...few, direction: "lower" });
  expect(lower.failureRate.value).toBe(2 / 4);
});

test.each(reference.cases)("$rows.length rows are counted as NumPy counts them", (each) => {
  const pairs = each.rows.map(([original = null, swapped = null]) => [original, swapped] as const);
  const { n, unscored, bounds, ...found } = counted(rowsOf(...pairs));
  const { failureRate, tieRate, failuresAndHalfTies } = found;
  expect({ n, unscored }).toEqual({ n: each.expected.n, unscored: each.expected.unscored });
  for (const [value, expected] of [
    [failureRate.value, each.expected.failureRate],
    [tieRate.value, each.expected.tieRate],
    [failuresAndHalfTies.value, each.expected.failuresAndHalfTies],
    [bounds.low, each.expected.bounds.low],
    [bounds.high, each.expected.bounds.high],
  ] as const) {
    expect(value).toBeCloseTo(expected, 12);
  }
});

test("intervals draw prompts where there are some, else rows", () => {
  const rows = rowsOf([1, 2], [2, 1], [1, 2], [2, 1]);
  expect(swapTest(rows, few).intervals).toMatchObject({ clusteredBy: "row", clusters: 4 });
  const prompted = rows.map((row, at) => ({ ...row, prompt: `p${at % 2}` }));
  const { intervals, warnings } = swapTest(prompted, few);
  expect(intervals).toMatchObject({ clusteredBy: "prompt", clusters: 2 });
  expect(warnings).toContain("m: intervals from 2 prompts are too narrow");
});

test("shares lie within their bounds and add up, whatever the scores", () => {
  const cell = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 5 });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (pairs) => {
      const found = counted(rowsOf(...pairs));
      const { failureRate, tieRate, failuresAndHalfTies, bounds, n } = found;
      if (n === 0) {
        expect(failureRate).toMatchObject({ value: null, reason: expect.any(String) });
        return;
      }
      const half = (failureRate.value ?? 0) + (tieRate.value ?? 0) / 2;
      expect(failuresAndHalfTies.value).toBeCloseTo(half, 12);
      expect(bounds.low).toBeLessThanOrEqual((bounds.high ?? 0) + 1e-12);
      expect(found.unscored + n).toBe(pairs.length);
    }),
  );
});
