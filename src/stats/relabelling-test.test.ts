import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { type KindsOfCluster, relabellingTest } from "./relabelling-test.js";

const settings = (permutations = 2000) => ({ permutations, random: randomFrom(0, "test") });
const cluster = (marked: number, ...others: number[]): KindsOfCluster => ({
  marked: { n: 1, showing: marked },
  others: others.map((showing) => ({ n: 1, showing })),
});
const times = (count: number, one: KindsOfCluster) => Array.from({ length: count }, () => one);

test("by hand: of each cluster one kind of three shows it, always the marked one", () => {
  // All marked in 1 of 3^k ways; none of them in 2^k is half as far off.
  expect(relabellingTest(times(4, cluster(1, 0, 0)), settings())).toEqual({
    p: 1 / 81,
    differing: 4,
  });
});

test("is two-sided, and not misled by there being more others", () => {
  // Six clusters of which one of two others passes: far off only where a pass is never marked (2^6
  // ways), or marked in four and more, which is as far on the other side.
  const passes = times(6, cluster(1, 0, 1));
  const ways = 64 + 15 * 4 + 6 * 2 + 1;
  expect(relabellingTest(passes, settings()).p).toBeCloseTo(ways / 729, 12);
  expect(2 / 2 ** 6).toBeLessThan(0.05);
});

test("clusters without the marked kind, or alike in all, decide nothing", () => {
  const some = times(3, cluster(1, 0));
  const alike = times(20, cluster(1, 1, 1));
  const { p, differing } = relabellingTest([...some, ...alike], settings());
  expect(p).toBe(2 / 8);
  expect(differing).toBe(3);
  const without = { others: [{ n: 1, showing: 0 }] };
  expect(relabellingTest([...some, without], settings()).differing).toBe(3);
  expect(relabellingTest(times(3, without), settings()).p).toBe(1);
  expect(relabellingTest([], settings())).toEqual({ p: 1, differing: 0 });
});

test("draws where there are too many ways, and agrees with the exact p", () => {
  const mixed = [...times(4, cluster(1, 0, 0)), ...times(3, cluster(0, 1, 0))];
  const exact = relabellingTest(mixed, settings());
  const many = [...mixed, ...times(3, cluster(0, 0, 1)), ...times(3, cluster(1, 0, 0))];
  const drawn = relabellingTest(many, settings(20_000));
  expect(exact.p).toBeGreaterThan(0.05);
  expect(drawn.p).toBeGreaterThan(0);
  expect(relabellingTest(many, settings(20_000)).p).toBe(drawn.p);
  const never = relabellingTest(times(60, cluster(1, 0, 0)), settings(99));
  expect(never.p).toBe(1 / 100);
});

test("chance alone is called a difference in at most 5 of 100 samples", () => {
  const random = randomFrom(0, "level");
  const samples = 400;
  for (const share of [0.1, 0.85]) {
    let called = 0;
    for (let sample = 0; sample < samples; sample++) {
      const draw = () => Number(random.integer(100) < share * 100);
      const clusters = Array.from({ length: 12 }, () => cluster(draw(), draw(), draw()));
      if (relabellingTest(clusters, { permutations: 199, random }).p < 0.05) called += 1;
    }
    expect(called / samples).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / samples));
  }
});
