import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { clusteredShare } from "./clustered-share.js";
import { wilsonInterval } from "./share-interval.js";

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
