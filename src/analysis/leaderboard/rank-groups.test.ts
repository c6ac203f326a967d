import { expect, test } from "vitest";
import type { Estimate } from "../../stats/estimate.js";
import { rankRanges, shownAbove } from "./rank-groups.js";

test("ranks are ranges; those that share one stand by name", () => {
  const better = new Set(["a>c", "b>c", "a>d", "b>d"]);
  const ranks = rankRanges(["d", "b", "c", "a"], (one, other) => better.has(`${one}>${other}`));
  expect(ranks).toEqual([
    { name: "a", best: 1, worst: 2 },
    { name: "b", best: 1, worst: 2 },
    { name: "c", best: 3, worst: 4 },
    { name: "d", best: 3, worst: 4 },
  ]);
});

test("estimates are told apart by the interval of their difference, adjusted for all pairs", () => {
  const of = (value: number, half: number) => ({ value, low: value - half, high: value + half });
  const above = shownAbove(
    new Map<string, Estimate>([
      ["far", of(0.9, 0.05)],
      ["near", of(0.5, 0.05)],
      // 0.075 apart, the half-width of the difference is 0.0707: told apart alone, not among six pairs.
      ["nearer", of(0.425, 0.05)],
      ["unknown", { value: 0.1, low: null, high: null }],
    ]),
  );
  expect(above("far", "near")).toBe(true);
  expect(above("near", "far")).toBe(false);
  expect(above("near", "nearer")).toBe(false);
  expect(above("far", "unknown")).toBe(false);
});
