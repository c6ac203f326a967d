import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { clusterBootstrap, clusterJackknife, clusterResamples } from "./cluster-bootstrap.js";
import { clusterSums, groupTotals } from "./cluster-sums.js";
import { bcaInterval } from "./percentile-interval.js";
import { deltaInterval, ratioValue } from "./ratio-statistic.js";

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

const bca = (clusters: readonly (readonly number[])[]) => {
  const table = tableOf(clusters);
  const random = randomFrom(0, "test");
  const [resampled = new Float64Array()] = clusterResamples(table, {
    statistics: [[term]],
    resamples: 2000,
    random,
  });
  const [jackknifed = new Float64Array()] = clusterJackknife(table, [[term]]);
  const value = ratioValue([term], groupTotals(table), table.width);
  return bcaInterval({ value, resampled, jackknifed });
};

test("the jackknife leaves whole clusters out", () => {
  const [jackknifed] = clusterJackknife(tableOf([[1, 0], [1], [0, 0, 0]]), [[term]]);
  expect(jackknifed).toEqual(Float64Array.of(1 / 4, 1 / 5, 2 / 3));
  const [alone] = clusterJackknife(tableOf([[1, 0]]), [[term]]);
  expect(alone).toEqual(Float64Array.of(Number.NaN));
});

test("BCa moves the interval of a skewed mean to the long side, whatever repeats in a cluster", () => {
  const skewed = Array.from({ length: 40 }, (_, at) => [Math.exp(at / 12)]);
  const found = bca(skewed);
  const [low, high] = bootstrap(skewed, 2000) ?? [0, 0];
  if ("reason" in found) throw new Error(found.reason);
  expect(found[0]).toBeGreaterThan(low);
  expect(found[1]).toBeGreaterThan(high);
  expect(bca(skewed.map(([value = 0]) => [value, value]))).toEqual(found);
  expect(bca([[1], [1], [1]])).toEqual({ reason: "leaving any one cluster out changes nothing" });
});

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

test("each resample is the ratio of the sums that its clusters drawn give, whatever groups statistics share", () => {
  const made = randomFrom(0, "made-up clusters");
  const rows = 90;
  const table = clusterSums({
    cluster: Int32Array.from({ length: rows }, () => made.integer(15)),
    group: Int32Array.from({ length: rows }, () => made.integer(3)),
    columns: [new Float64Array(rows).fill(1), Float64Array.from({ length: rows }, made.next)],
    clusters: 15,
    groups: 4,
  });
  const of = (weight: number, ...groups: number[]) => ({ ...term, weight, groups });
  const statistics = [
    [of(1, 0, 1, 2)],
    [of(0.5, 0), of(0.5, 2, 1)],
    [of(1, 1), of(-1, 0)],
    [of(1, 3)],
  ];
  const resamples = 600;
  const found = clusterResamples(table, { statistics, resamples, random: randomFrom(0, "draws") });
  const rounded = (value: number) => Math.round(value * 1e9);
  const expected: number[][] = statistics.map(() => []);
  const random = randomFrom(0, "draws");
  for (let resample = 0; resample < resamples; resample++) {
    const drawn = new Float64Array(table.clusters);
    random.tally(drawn.length, drawn);
    const sums = table.sums.slice();
    for (const [cluster, times] of drawn.entries()) {
      const [from = 0, to = 0] = table.start.subarray(cluster, cluster + 2);
      for (let at = from * table.width; at < to * table.width; at++)
        sums[at] = (sums[at] ?? 0) * times;
    }
    const totals = groupTotals({ ...table, sums });
    for (const [index, statistic] of statistics.entries()) {
      expected[index]?.push(rounded(ratioValue(statistic, totals, table.width)));
    }
  }
  expect(found.map((values) => Array.from(values, rounded))).toEqual(expected);
  expect(found[3]).toEqual(new Float64Array(resamples).fill(Number.NaN));
});
