import { describe, expect, test } from "vitest";
import { type Random, randomFrom } from "../../core/random.js";
import { clusterSums } from "../../stats/cluster-sums.js";
import { decidedByFew, fewClusters, rareOutcome } from "./few-clusters.js";
import { estimate, type IntervalKind, intervalMethod } from "./intervals.js";
import { fewestClusters } from "./prompt-clusters.js";

const term = { weight: 1, groups: [0], numerator: 1, denominator: 0, whenEmpty: "no rows" };

/** How often intervals of a rate hold it: four rows of each prompt, alike by 0.2 (beta-binomial). */
function coverage(rate: number, prompts: number, interval: IntervalKind): number {
  const random = randomFrom(1, "coverage", prompts);
  const samples = 400;
  let covered = 0;
  for (let sample = 0; sample < samples; sample++) {
    const method = intervalMethod(
      { interval, resamples: 400, seed: sample },
      { clusters: prompts, clusteredBy: "prompt" },
    );
    const [found] = estimate(sampleOf(rate, prompts, random), [{ terms: [term] }], method);
    const { low = null, high = null } = found ?? {};
    if (low !== null && high !== null && low <= rate && rate <= high) covered += 1;
  }
  return covered / samples;
}

function sampleOf(rate: number, prompts: number, random: Random) {
  const failed = Array.from({ length: prompts }, () => {
    // Polya's urn: what is drawn goes back with one more of its kind.
    const urn = { fails: 4 * rate, all: 4 };
    return [0, 1, 2, 3].map(() => {
      const fails = Number(random.chance(urn.fails / urn.all));
      urn.fails += fails;
      urn.all += 1;
      return fails;
    });
  });
  const rows = failed.flatMap((each, cluster) => each.map((fails) => ({ cluster, fails })));
  return clusterSums({
    cluster: Int32Array.from(rows, ({ cluster }) => cluster),
    group: new Int32Array(rows.length),
    columns: [new Float64Array(rows.length).fill(1), Float64Array.from(rows, ({ fails }) => fails)],
    clusters: prompts,
    groups: 1,
  });
}

// 400 samples leave an error of about 0.011 at 0.95, three of which are allowed.
describe("coverage of 95 % intervals of half of the rows", () => {
  test.each(["percentile", "bca", "delta"] as const)("%s: right from the limit on", (interval) => {
    expect(Math.abs(coverage(0.5, fewestClusters, interval) - 0.95)).toBeLessThan(0.033);
  });

  test.each(["percentile", "bca", "delta"] as const)("%s: too narrow below it", (interval) => {
    expect(coverage(0.5, 5, interval)).toBeLessThan(0.91);
  });
});

test("what is rare needs more prompts, or BCa", () => {
  // Some three prompts of 50 have a failure.
  expect(coverage(0.02, 50, "bca")).toBeGreaterThan(coverage(0.02, 50, "percentile") + 0.03);
});

test("few clusters are said to be few", () => {
  expect(fewClusters({ clusters: fewestClusters - 1, clusteredBy: "query" })).toEqual([
    "intervals from 29 queries are too narrow",
  ]);
  for (const clusters of [0, fewestClusters]) {
    expect(fewClusters({ clusters, clusteredBy: "row" })).toEqual([]);
  }
});

test("a rare outcome is said to be rare where that says something", () => {
  const method = { method: "percentile", clusters: 200, clusteredBy: "prompt" } as const;
  expect(rareOutcome({ showing: 3, what: "fails", method })).toEqual([
    "only 3 of 200 prompts have a row that fails: the interval of the failure rate is too narrow, " +
      "a BCa interval less so",
  ]);
  expect(rareOutcome({ showing: 0, what: "fails", method })).toEqual([]);
  expect(rareOutcome({ showing: 10, what: "fails", method })).toEqual([]);
  expect(rareOutcome({ showing: 3, what: "fails", method: { ...method, method: "bca" } })).toEqual(
    [],
  );
  expect(rareOutcome({ showing: 3, what: "fails", method: { ...method, clusters: 29 } })).toEqual(
    [],
  );
});

describe("estimates that a few clusters decide", () => {
  /** Of 40 prompts all are 0 or 1 in turn, but the last few. */
  const meanOf = (last: readonly number[], interval: IntervalKind = "percentile") => {
    const values = Float64Array.from({ length: 40 }, (_, at) => last[39 - at] ?? at % 2);
    const table = clusterSums({
      cluster: Int32Array.from(values.keys()),
      group: new Int32Array(40),
      columns: [new Float64Array(40).fill(1), values],
      clusters: 40,
      groups: 1,
    });
    const method = intervalMethod({ interval }, { clusters: 40, clusteredBy: "prompt" });
    const [mean = { value: null, low: null, high: null }] = estimate(
      table,
      [{ terms: [term] }],
      method,
    );
    return { mean, warnings: decidedByFew([{ name: "the mean of m", estimate: mean }], method) };
  };

  test("are told by how many of equal say would tell as much", () => {
    const { mean, warnings } = meanOf([1000]);
    expect(mean.effectiveClusters).toBe(3);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the mean of m (effectively 3 prompts)");
  });

  test("are not where all have a say", () => {
    expect(meanOf([])).toMatchObject({ warnings: [] });
    expect(meanOf([]).mean.effectiveClusters).toBeUndefined();
  });

  test("have an interval of Student's t that allows for it", () => {
    const [wide, narrow] = [meanOf([1000], "t"), meanOf([1000], "delta")];
    expect(wide.warnings[0]).not.toContain("--interval");
    const width = ({ mean: { low, high } }: typeof wide) => (high ?? 0) - (low ?? 0);
    // Some two degrees of freedom, where t is 4.3.
    expect(width(wide) / width(narrow)).toBeGreaterThan(2);
  });
});
