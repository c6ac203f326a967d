import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { clusteredShare, shareAfterNone, wilsonInterval } from "./share-interval.js";

test("agrees with the published interval for 81 of 263 and for small counts", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const;
  for (const [k, n, low, high] of published) {
    const interval = wilsonInterval(k, n);
    expect(interval.value).toBe(k / n);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  }
});

test("its bounds are where the share lies 1.96 standard errors off", () => {
  const counts = fc.integer({ min: 2, max: 5000 }).chain((n) => {
    return fc.record({ n: fc.constant(n), k: fc.integer({ min: 1, max: n - 1 }) });
  });
  fc.assert(
    fc.property(counts, ({ n, k }) => {
      const { low, high } = wilsonInterval(k, n);
      for (const bound of [low ?? 0, high ?? 0]) {
        const errors = Math.abs(k / n - bound) / Math.sqrt((bound * (1 - bound)) / n);
        expect(errors).toBeCloseTo(1.96, 3);
      }
      const mirrored = wilsonInterval(n - k, n);
      expect(mirrored.low).toBeCloseTo(1 - (high ?? 0), 12);
    }),
  );
});

test("all or none keep a width, and nothing has no share", () => {
  expect(wilsonInterval(10, 10)).toMatchObject({ value: 1, high: 1 });
  expect(wilsonInterval(10, 10).low).toBeCloseTo(0.7225, 4);
  expect(wilsonInterval(0, 0)).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "there are none",
  });
});

test("is the share with which none of n happens in one case of twenty", () => {
  for (const n of [1, 3, 20, 300]) expect((1 - shareAfterNone(n)) ** n).toBeCloseTo(0.05, 12);
  expect(shareAfterNone(300)).toBeCloseTo(0.00994, 5);
});

test("says nothing from nothing", () => {
  expect(shareAfterNone(0)).toBe(1);
});

const ofOne = (successes: number, n: number) =>
  Array.from({ length: n }, (_, index) => ({ successes: index < successes ? 1 : 0, n: 1 }));

test("clusters of one outcome give Wilson's interval, but for G / (G - 1)", () => {
  const [clustered, plain] = [clusteredShare(ofOne(30, 40)), wilsonInterval(30, 40)];
  expect(clustered.value).toBe(0.75);
  expect(clustered.low).toBeCloseTo(plain.low ?? 0, 2);
  expect(clustered.high).toBeCloseTo(plain.high ?? 0, 2);
});

test("outcomes that agree within clusters tell as much as there are clusters", () => {
  const clusters = ofOne(30, 40).map(({ successes }) => ({ successes: successes * 10, n: 10 }));
  const { value, low, high } = clusteredShare(clusters);
  const alone = clusteredShare(ofOne(30, 40));
  expect(value).toBe(0.75);
  expect(low).toBeCloseTo(alone.low ?? 0, 10);
  expect(high).toBeCloseTo(alone.high ?? 0, 10);
});

test("none and all keep a width, by the number of clusters", () => {
  const all = Array.from({ length: 12 }, () => ({ successes: 5, n: 5 }));
  expect(clusteredShare(all)).toEqual(wilsonInterval(12, 12));
  expect(clusteredShare(all.map(({ n }) => ({ successes: 0, n })))).toEqual(wilsonInterval(0, 12));
});

test("of nothing, of one cluster and of one outcome", () => {
  expect(clusteredShare([])).toMatchObject({ value: null, low: null });
  expect(clusteredShare([{ successes: 0, n: 0 }])).toMatchObject({ value: null });
  expect(clusteredShare([{ successes: 3, n: 4 }])).toMatchObject({ value: 0.75, low: null });
  expect(clusteredShare([{ successes: 1, n: 1 }])).toEqual(wilsonInterval(1, 1));
});

test("about 95 of 100 intervals hold the truth where clusters differ", () => {
  const random = randomFrom("clustered share");
  const truth = 0.85;
  let held = 0;
  const rounds = 1000;
  for (let round = 0; round < rounds; round++) {
    const clusters = Array.from({ length: 40 }, () => {
      // Some pictures are hard and most are easy: .6 and .9125 in a share of .2 and .8.
      const p = random.chance(0.2) ? 0.6 : 0.9125;
      const n = 3 + random.integer(6);
      const successes = Array.from({ length: n }, () => random.chance(p)).filter(Boolean).length;
      return { successes, n };
    });
    const { low, high } = clusteredShare(clusters);
    if (low !== null && high !== null && low <= truth && truth <= high) held++;
  }
  expect(held / rounds).toBeGreaterThan(0.93);
  expect(held / rounds).toBeLessThan(0.975);
});
