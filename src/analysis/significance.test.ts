import { expect, test } from "vitest";
import { brierScore } from "../stats/brier-score.js";
import { expectedCalibrationError } from "../stats/expected-calibration-error.js";
import { reliabilityBins } from "../stats/reliability-bins.js";
import { judgeMetrics } from "./prediction-score.js";
import { type PredictionRow, significance } from "./significance.js";

const labels = Array.from({ length: 40 }, (_, at) => ((at * 7) % 3 === 0 ? 1 : 0));
const method = (name: string, said: (label: number, at: number) => number | null) =>
  labels.map(
    (label, at): PredictionRow => ({
      ...{ id: `${at}`, method: name, label: label === 1 ? 1 : 0 },
      probability: said(label, at),
    }),
  );
const rows = [
  ...method("good", (label, at) => (label === 1 ? 0.9 : 0.1) + (at % 5) / 100),
  ...method("bad", (label, at) => (label === 1 ? 0.45 : 0.6) - (at % 5) / 100),
  ...method("twin", (label, at) => (label === 1 ? 0.9 : 0.1) + (at % 5) / 100),
];
const options = { metrics: judgeMetrics, permutations: 999 };

test("gives the metrics' own values, every method against the best", () => {
  const { tests, n, unscored } = significance(rows, options);
  expect({ n, unscored }).toEqual({ n: 120, unscored: 0 });
  expect(tests).toHaveLength(8);
  const said = rows.filter((row) => row.method === "bad").map((row) => row.probability ?? 0);
  const scoreBy = (metric: string) =>
    tests.find((each) => each.metric === metric && each.method === "bad")?.value;
  expect(scoreBy("brier")).toBeCloseTo(brierScore(labels, said), 12);
  expect(scoreBy("ece")).toBeCloseTo(expectedCalibrationError(reliabilityBins(labels, said)), 12);
  const mean = (cost: (label: number, p: number) => number) =>
    labels.reduce<number>((sum, label, at) => sum + cost(label, said[at] ?? 0), 0) / labels.length;
  expect(scoreBy("nll") ?? 0).toBeCloseTo(mean((label, p) => -Math.log(label === 1 ? p : 1 - p)));
  expect(scoreBy("accuracy") ?? 0).toBe(mean((label, p) => Number(p >= 0.5 === (label === 1))));
  for (const { against, method: name, difference, p, pAdjusted } of tests) {
    expect(against).toBe("good");
    if (name === "twin") expect([difference, p, pAdjusted]).toEqual([0, 1, 1]);
    else {
      expect(p).toBe(1 / 1000);
      expect(pAdjusted).toBeCloseTo((2 * 1.5) / 1000, 12);
    }
  }
});

test("the order of rows changes no test", () => {
  const byName = (conclusion: ReturnType<typeof significance>) =>
    conclusion.tests.map(({ pAdjusted, ...each }) => JSON.stringify(each)).sort();
  const noisy = rows.map((row, at) => ({ ...row, probability: ((at * 37) % 101) / 101 }));
  const one = significance(noisy, options);
  expect(byName(significance([...noisy].reverse(), options))).toEqual(byName(one));
});

test("an unscored row is in no test, and compared are the rows that both answered", () => {
  const some = [
    ...rows.filter((row) => row.method !== "bad"),
    ...method("bad", (label, at) => (at < 10 ? null : 1 - label)),
  ];
  const { tests, unscored, warnings } = significance(some, { ...options, metrics: ["brier"] });
  expect(unscored).toBe(10);
  expect(tests.map((each) => [each.method, each.n])).toEqual([
    ["twin", 40],
    ["bad", 30],
  ]);
  expect(warnings).toHaveLength(2);
  const alone = significance([...rows.slice(0, 40), ...method("mute", () => null)], options);
  expect(alone.tests).toEqual([]);
});

test("a run is swapped as a whole", () => {
  const inOneRun = rows.map((row) => ({ ...row, run: "1" }));
  const { tests } = significance(inOneRun, { ...options, unit: "run" });
  expect(tests.every(({ p }) => p === 1)).toBe(true);
});

test("two labels of an id, and one method alone, are refused", () => {
  const [first] = rows;
  if (first === undefined) throw new Error("Expected a row");
  const other = { ...first, method: "other", label: first.label === 1 ? 0 : 1 } as const;
  expect(() => significance([...rows, other], options)).toThrow('one label for id "0"');
  expect(() => significance(rows.slice(0, 40), options)).toThrow("two methods or more");
});
