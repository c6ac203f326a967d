import { expect, test } from "vitest";
import { clusterSums } from "./cluster-sums.js";
import { clustersBehind, ratioValue } from "./ratio-statistic.js";

const term = { weight: 1, groups: [0], numerator: 1, denominator: 0 };

test("pools the groups of a term and adds weighted terms", () => {
  const totals = [4, 1, 6, 4];
  expect(ratioValue([term], totals, 2)).toBe(0.25);
  expect(ratioValue([{ ...term, groups: [0, 1] }], totals, 2)).toBe(0.5);
  const macro = [
    { ...term, weight: 0.5 },
    { ...term, weight: 0.5, groups: [1] },
  ];
  expect(ratioValue(macro, totals, 2)).toBeCloseTo((1 / 4 + 4 / 6) / 2, 12);
});

test("is undefined where anything is divided by nothing", () => {
  expect(ratioValue([term, { ...term, groups: [1] }], [4, 1, 0, 0], 2)).toBeNaN();
  expect(ratioValue([{ ...term, groups: [] }], [4, 1], 2)).toBeNaN();
});

test("counts the clusters below the line, up to a limit", () => {
  const table = clusterSums({
    cluster: Int32Array.of(0, 0, 1, 2, 3),
    group: Int32Array.of(0, 1, 0, 1, 0),
    columns: [Float64Array.of(1, 1, 1, 1, 0), new Float64Array(5)],
    clusters: 4,
    groups: 2,
  });
  expect(clustersBehind(term, table)).toBe(2);
  expect(clustersBehind({ ...term, groups: [0, 1] }, table)).toBe(3);
  expect(clustersBehind({ ...term, groups: [0, 1] }, table, 2)).toBe(2);
});
