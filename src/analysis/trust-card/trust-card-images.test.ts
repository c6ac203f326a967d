import { expect, test } from "vitest";
import { monotonicity } from "./trust-card-images.js";

const series = (item: string, scores: readonly (number | null)[]) =>
  scores.map((score, level) => ({ item, prompt: item, level, score }));

test("counts falling and rising pairs of levels, worked by hand", () => {
  // Of three pairs two fall and one rises.
  const one = monotonicity(series("a", [0.9, 0.7, 0.8]));
  expect(one.tau.value).toBeCloseTo(-1 / 3, 12);
  expect(one.neverRises.value).toBe(0);
  expect(one.drop.value).toBeCloseTo(0.1, 12);
  // A fall of every step, and no change at all: -1 and 0.
  const two = monotonicity([...series("a", [0.9, 0.7, 0.5]), ...series("b", [0.4, 0.4, 0.4])]);
  expect(two.tau.value).toBe(-0.5);
  expect(two.neverRises).toMatchObject({ value: 1, oneSided: { high: 1 } });
  expect(two.drop.value).toBeCloseTo(0.2, 12);
});

test("turns round for metrics where less is better, but not the drop", () => {
  const found = monotonicity(series("a", [0.1, 0.3, 0.2]), { direction: "lower" });
  expect(found.tau.value).toBeCloseTo(-1 / 3, 12);
  expect(found.drop.value).toBeCloseTo(-0.1, 12);
});

test("does not rise by rounding alone", () => {
  const rows = series("a", [0.4, 0.4 + 1e-9, 0.4]);
  expect(monotonicity(rows).neverRises.value).toBe(1);
  expect(monotonicity(rows, { tieTolerance: 0 }).neverRises.value).toBe(0);
  const turned = series("a", [0.4, 0.4 - 1e-9, 0.3]);
  expect(monotonicity(turned, { direction: "lower" }).neverRises.value).toBe(0);
});

test("a series with an unscored level is counted and in nothing else, in whatever order", () => {
  const rows = [...series("a", [0.9, 0.5]), ...series("b", [0.1, null]), ...series("c", [0.3])];
  for (const some of [rows, rows.toReversed()]) {
    expect(monotonicity(some)).toMatchObject({ n: 1, unscored: 1, tau: { value: -1 } });
  }
  expect(monotonicity([]).tau).toMatchObject({ value: null, reason: expect.any(String) });
});
