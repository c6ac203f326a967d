import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { clusterBootstrap } from "./cluster-bootstrap.js";
import { clusterSums, groupTotals } from "./cluster-sums.js";
import { deltaInterval } from "./delta-interval.js";

const term = { weight: 1, groups: [0], numerator: 1, denominator: 0 };

const tableOf = (clusters: readonly (readonly number[])[]) => {
  const rows = clusters.flatMap((values, cluster) => values.map((value) => ({ cluster, value })));
  return clusterSums({
    cluster: Int32Array.from(rows, ({ cluster }) => cluster),
    group: new Int32Array(rows.length),
    columns: [new Float64Array(rows.length).fill(1), Float64Array.from(rows, ({ value }) => value)],
    clusters: clusters.length,
    groups: 1,
  });
};

const bootstrap = (clusters: readonly (readonly number[])[], resamples = 4000) =>
  clusterBootstrap(tableOf(clusters), {
    statistics: [[term]],
    resamples,
    random: randomFrom(0, "test"),
  })[0];

const delta = (clusters: readonly (readonly number[])[]) => {
  const table = tableOf(clusters);
  return deltaInterval(table, groupTotals(table), [term]);
};

test("the bootstrap of a share covers the quantiles of the binomial distribution", () => {
  // 30 of 100, one row in each cluster: the 2.5 and 97.5 % quantiles of Binomial(100, 0.3) are
  // 21 and 39 of 100.
  const [low, high] = bootstrap(Array.from({ length: 100 }, (_, at) => [at < 30 ? 1 : 0])) ?? [
    0, 0,
  ];
  expect(low).toBeGreaterThanOrEqual(0.2);
  expect(low).toBeLessThanOrEqual(0.22);
  expect(high).toBeGreaterThanOrEqual(0.38);
  expect(high).toBeLessThanOrEqual(0.4);
});

test("rows that repeat within a cluster add no certainty", () => {
  const single = Array.from({ length: 60 }, (_, at) => [at % 3 === 0 ? 1 : 0]);
  const repeated = single.map(([value = 0]) => [value, value, value, value]);
  expect(bootstrap(repeated)).toEqual(bootstrap(single));
  expect(delta(repeated)).toEqual(delta(single));
});

test("the delta method of a mean is the textbook's standard error", () => {
  const values = [0.1, 0.4, 0.5, 0.7, 0.9, 0.2];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 5;
  const margin = 1.959963984540054 * Math.sqrt(variance / 6);
  const [low, high] = delta(values.map((value) => [value])) ?? [0, 0];
  expect(low).toBeCloseTo(mean - margin, 12);
  expect(high).toBeCloseTo(mean + margin, 12);
});

test("both agree on a ratio of uneven clusters", () => {
  const random = randomFrom(1, "uneven clusters");
  const clusters = Array.from({ length: 200 }, () => {
    const difficulty = random.next();
    return Array.from({ length: 1 + random.integer(9) }, () => Number(random.chance(difficulty)));
  });
  const [low, high] = bootstrap(clusters) ?? [0, 0];
  const [deltaLow, deltaHigh] = delta(clusters) ?? [0, 0];
  expect(Math.abs(low - deltaLow)).toBeLessThan(0.006);
  expect(Math.abs(high - deltaHigh)).toBeLessThan(0.006);
});

test("there is no interval without a value or, for the delta method, from one cluster", () => {
  expect(bootstrap([[], []])).toBeUndefined();
  expect(delta([[], []])).toBeUndefined();
  expect(delta([[0, 1, 1]])).toBeUndefined();
});

test("the same random stream gives the same interval", () => {
  const clusters = Array.from({ length: 30 }, (_, at) => [Math.sin(at)]);
  expect(bootstrap(clusters, 50)).toEqual(bootstrap(clusters, 50));
});
