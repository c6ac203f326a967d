import { expect, test } from "vitest";
import { append, largestOf, smallestOf } from "./arrays.js";

test("any number of values has a largest and a smallest, and may be appended", () => {
  const many = Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 1_000_003);
  expect([largestOf(many), smallestOf(many)]).toEqual([1_000_002, 0]);
  const list = [1];
  append(list, many);
  expect(list).toHaveLength(1_000_001);
});

test("extremes are those of Math, of nothing and of no numbers, too", () => {
  for (const values of [[], [2], [1, Number.NaN, 3], [-0, 0]]) {
    expect(largestOf(values)).toBe(Math.max(...values));
    expect(smallestOf(values)).toBe(Math.min(...values));
  }
});
