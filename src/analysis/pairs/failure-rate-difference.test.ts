import { expect, test } from "vitest";
import { noSpread } from "../inference/intervals.js";
import { failureRateDifference } from "./failure-rate-difference.js";
import type { PairRow } from "./pair-sums.js";

const rowsOf = (metric: string, fails: (at: number) => boolean | null): PairRow[] =>
  Array.from({ length: 60 }, (_, at) => {
    const failing = fails(at);
    return {
      id: String(at),
      metric,
      domain: "animals",
      correct: failing === null ? null : 0.5,
      adversarial: failing ? 0.6 : 0.4,
    };
  });

const between = (rows: readonly PairRow[]) =>
  failureRateDifference(rows, { metric: "a", than: "b", resamples: 200 });

test("compares two metrics on the rows that both scored", () => {
  const rows = [
    ...rowsOf("a", (at) => (at < 10 ? null : at < 40)),
    ...rowsOf("b", (at) => (at >= 50 ? null : at < 20)),
  ];
  const { value, low, high, n } = between(rows);
  expect(n).toBe(40);
  expect(value).toBeCloseTo(0.5, 12);
  expect(low).toBeGreaterThan(0.3);
  expect(high).toBeLessThan(0.7);
});

test("two metrics that fail on the same rows do not differ at all", () => {
  const rows = [...rowsOf("a", (at) => at % 3 === 0), ...rowsOf("b", (at) => at % 3 === 0)];
  expect(between(rows)).toEqual({
    value: 0,
    low: null,
    high: null,
    reason: noSpread,
    n: 60,
  });
});

test("is undefined where no row is scored by both", () => {
  const rows = [...rowsOf("a", () => null), ...rowsOf("b", () => true)];
  expect(between(rows)).toMatchObject({ value: null, reason: "no row is scored by both", n: 0 });
});

test("takes ties for failures, or leaves them apart", () => {
  const tied = rowsOf("a", () => true).map((row) => ({ ...row, adversarial: 0.5 }));
  const rows = [...tied, ...rowsOf("b", (at) => at < 20)];
  expect(between(rows).value).toBeCloseTo(40 / 60, 12);
  const apart = { metric: "a", than: "b", ties: "apart", resamples: 200 } as const;
  expect(failureRateDifference(rows, apart).value).toBeCloseTo(-20 / 60, 12);
});

test("takes what differs by rounding for a tie", () => {
  const tied = rowsOf("a", () => true).map((row) => ({ ...row, adversarial: 0.5 - 1e-9 }));
  const rows = [...tied, ...rowsOf("b", (at) => at < 20)];
  expect(between(rows).value).toBeCloseTo(40 / 60, 12);
  const exact = { metric: "a", than: "b", tieTolerance: 0, resamples: 200 };
  expect(failureRateDifference(rows, exact).value).toBeCloseTo(-20 / 60, 12);
});
