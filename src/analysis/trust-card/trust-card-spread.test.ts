import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { scoreSpread } from "./trust-card-spread.js";

test("splits the variance by items, worked by hand", () => {
  // Means 0.2 and 0.9, grand mean 0.55: within (0.01 + 0.01) / 2, between (2 x 0.35² twice - 0.01) / 2.
  const found = scoreSpread([
    { item: "a", score: 0.1 },
    { item: "a", score: 0.3 },
    { item: "b", score: 0.9 },
    { item: "b", score: 0.9 },
  ]);
  expect(found.varianceShare.value).toBeCloseTo(0.01 / (0.01 + 0.24), 12);
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

test("does not depend on how often an item was scored", () => {
  // What lies within items is 0.2 of all variance: a normal deviate's 0.8 and 0.2.
  const random = randomFrom(0, "spread test");
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const shareOf = (times: (item: number) => number) =>
    scoreSpread(
      Array.from({ length: 4000 }, (_, item) => {
        const level = Math.sqrt(0.8) * normal();
        return Array.from({ length: times(item) }, () => ({
          item: `${item}`,
          score: level + Math.sqrt(0.2) * normal(),
        }));
      }).flat(),
      { resamples: 2 },
    ).varianceShare.value;
  expect(shareOf(() => 2)).toBeCloseTo(0.2, 1.5);
  expect(shareOf(() => 6)).toBeCloseTo(0.2, 1.5);
  expect(shareOf((item) => 2 + (item % 5))).toBeCloseTo(0.2, 1.5);
});

test("leaves unscored ones out by name, and items with one score", () => {
  const found = scoreSpread([
    { item: "a", score: 0.1 },
    { item: "a", score: null },
    { item: "b", score: 0.5 },
    { item: "b", score: 0.5 },
    { item: "c", score: 0.5 },
    { item: "c", score: 0.5 },
  ]);
  expect(found).toMatchObject({ items: 2, n: 4, unscored: 1 });
  expect(found.varianceShare).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "all scores are the same",
  });
});

test("takes two items to tell what moves scores", () => {
  const scores = [0.2, 0.4].map((score) => ({ item: "a", score }));
  expect(scoreSpread(scores).varianceShare).toMatchObject({
    value: null,
    reason: "fewer than two items were scored twice",
  });
});

test("draws prompts, and the order of rows changes nothing", () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    item: `${at >> 1}`,
    prompt: `${at >> 2}`,
    score: (at >> 1) / 20 + ((at * 7) % 11) / 22,
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
