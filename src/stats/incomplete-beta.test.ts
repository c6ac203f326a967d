import { expect, test } from "vitest";
import { binomialTest } from "./incomplete-beta.js";

const p = (shown: number, of: number, share: number) => binomialTest({ shown, of, share });

test("by hand: tosses that all fall on one side", () => {
  expect(p(6, 6, 0.5)).toBeCloseTo(2 / 64, 12);
  expect(p(0, 5, 0.5)).toBeCloseTo(2 / 32, 12);
  expect(p(0, 10, 0.2)).toBeCloseTo(2 * 0.8 ** 10, 12);
  expect(p(0, 0, 0.3)).toBe(1);
  expect(p(5, 10, 0.5)).toBe(1);
});

test("sums the smaller tail, as many terms as it has", () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  for (const [shown, of, share] of [
    [3, 12, 0.45],
    [9, 12, 0.45],
    [14, 30, 0.2],
    [1, 40, 0.02],
  ] as const) {
    const tail = (from: number, to: number) => {
      let sum = 0;
      for (let at = from; at <= to; at++)
        sum += choose(of, at) * share ** at * (1 - share) ** (of - at);
      return sum;
    };
    const expected = Math.min(1, 2 * Math.min(tail(0, shown), tail(shown, of)));
    expect(p(shown, of, share)).toBeCloseTo(expected, 10);
  }
});
