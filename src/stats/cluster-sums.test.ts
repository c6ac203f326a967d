import fc from "fast-check";
import { expect, test } from "vitest";
import { clusterSums, groupTotals } from "./cluster-sums.js";

const table = (rows: readonly (readonly [cluster: number, group: number, value: number])[]) =>
  clusterSums({
    cluster: Int32Array.from(rows, ([cluster]) => cluster),
    group: Int32Array.from(rows, ([, group]) => group),
    columns: [
      new Float64Array(rows.length).fill(1),
      Float64Array.from(rows, ([, , value]) => value),
    ],
    clusters: 4,
    groups: 3,
  });

test("gives each cluster one cell for each of its groups, whatever the order of the rows", () => {
  const { start, group, sums } = table([
    [2, 1, 10],
    [0, 0, 1],
    [2, 0, 20],
    [0, 0, 2],
    [2, 1, 30],
  ]);
  expect([...start]).toEqual([0, 1, 1, 3, 3]);
  expect([...group]).toEqual([0, 0, 1]);
  expect([...sums]).toEqual([2, 3, 1, 20, 2, 40]);
});

test("sums the same whatever the order of the rows, to the last bit", () => {
  const rows = [0.1, 0.7, 0.3, 1e9, 1e-9].map((value) => [0, 0, value] as const);
  expect(table(rows.toReversed()).sums).toEqual(table(rows).sums);
});

test("loses no row", () => {
  const row = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }), fc.integer({ min: -9, max: 9 }));
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const expected = [0, 0, 0, 0, 0, 0];
      for (const [, group, value] of rows) {
        expected[group * 2] = (expected[group * 2] ?? 0) + 1;
        expected[group * 2 + 1] = (expected[group * 2 + 1] ?? 0) + value;
      }
      expect([...groupTotals(table(rows))]).toEqual(expected);
    }),
  );
});
