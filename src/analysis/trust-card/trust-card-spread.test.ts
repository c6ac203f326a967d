import { expect, test } from "vitest";
import { scoreSpread } from "./trust-card-spread.js";

test("splits the sum of squares by items, worked by hand", () => {
  // Means 0.2 and 0.9, grand mean 0.55: within 0.01 + 0.01, between 2 x 0.35² twice.
  const found = scoreSpread([
    { item: "a", score: 0.1 },
    { item: "a", score: 0.3 },
    { item: "b", score: 0.9 },
    { item: "b", score: 0.9 },
  ]);
  expect(found.varianceShare.value).toBeCloseTo(0.02 / 0.51, 12);
  expect(found.range.value).toBeCloseTo(0.1, 12);
  expect(found.identical.value).toBe(0.5);
  expect(found).toMatchObject({ items: 2, n: 4, unscored: 0 });
});

test("is 0 where asking again changes nothing, 1 where nothing else does", () => {
  const items = ["a", "b", "c", "d", "e", "f"];
  const same = scoreSpread(
    items.flatMap((item, at) => [1, 2].map(() => ({ item, prompt: item, score: at / 10 }))),
  );
  expect(same.varianceShare).toMatchObject({ value: 0, low: null, high: null });
  expect(same.varianceShare.oneSided?.high).toBeCloseTo(1 - 0.05 ** (1 / 6), 12);
  // None of six was moved: at 95 % confidence the share that stays is at least 0.05^(1/6).
  expect(same.identical).toMatchObject({ value: 1 });
  expect(same.identical.oneSided?.low).toBeCloseTo(0.05 ** (1 / 6), 12);
  const noise = scoreSpread(items.flatMap((item) => [0.2, 0.4].map((score) => ({ item, score }))));
  expect(noise.varianceShare.value).toBe(1);
});

test("leaves unscored ones out by name, and items with one score", () => {
  const found = scoreSpread([
    { item: "a", score: 0.1 },
    { item: "a", score: null },
    { item: "b", score: 0.5 },
    { item: "b", score: 0.5 },
  ]);
  expect(found).toMatchObject({ items: 1, n: 2, unscored: 1 });
  expect(found.varianceShare).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "all scores are the same",
  });
});

test("draws prompts, and the order of rows changes nothing", () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    item: `${at >> 1}`,
    prompt: `${at >> 2}`,
    score: ((at * 7) % 11) / 11,
  }));
  const found = scoreSpread(rows, { resamples: 200 });
  expect(scoreSpread(rows.toReversed(), { resamples: 200 }).varianceShare.low).toBeCloseTo(
    found.varianceShare.low ?? Number.NaN,
    12,
  );
  expect(found.intervals).toMatchObject({ clusteredBy: "prompt", clusters: 10 });
  expect(found.varianceShare.low).toBeLessThan(found.varianceShare.value ?? 0);
  expect(found.varianceShare.high).toBeGreaterThan(found.varianceShare.value ?? 1);
});
