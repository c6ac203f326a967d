import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedCalibrationError } from "../../stats/calibration-error.js";
import { brierScore } from "../../stats/losses.js";
import { reliabilityBins } from "../../stats/reliability-bins.js";
import { judgeMetrics } from "./prediction-score.js";
import { methodScore, type PredictionRow, significance } from "./significance.js";

const labels = Array.from({ length: 40 }, (_, at) => ((at * 7) % 3 === 0 ? 1 : 0));
const method = (name: string, said: (label: number, at: number) => number | null) =>
  labels.map(
    (label, at): PredictionRow => ({
      id: `${at}`,
      method: name,
      label: label === 1 ? 1 : 0,
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

test("unscored rows have bounds, had all been right or wrong, and are in no value", () => {
  const some = [
    ...method("a", (label, at) => (at < 30 ? label : null)),
    ...method("b", (label, at) => (at < 10 ? 1 - label : label)),
  ];
  const { scores, tests } = significance(some, { ...options, metrics: ["accuracy", "brier"] });
  expect(scores).toEqual([
    {
      metric: "accuracy",
      method: "a",
      n: 30,
      unscored: 10,
      value: 1,
      bounds: { low: 0.75, high: 1 },
    },
    {
      metric: "accuracy",
      method: "b",
      n: 40,
      unscored: 0,
      value: 0.75,
      bounds: { low: 0.75, high: 0.75 },
    },
    { metric: "brier", method: "a", n: 30, unscored: 10, value: 0, bounds: { low: 0, high: 0.25 } },
    {
      metric: "brier",
      method: "b",
      n: 40,
      unscored: 0,
      value: 0.25,
      bounds: { low: 0.25, high: 0.25 },
    },
  ]);
  expect(tests.map(({ n }) => n)).toEqual([30, 30]);
  const unlabelled = some.map((row) => (row.id === "39" ? { ...row, label: null } : row));
  const [without] = significance(unlabelled, { ...options, metrics: ["accuracy"] }).scores;
  expect(without).toMatchObject({ n: 30, unscored: 9 });
  const mute = significance([...rows.slice(0, 40), ...method("mute", () => null)], {
    ...options,
    metrics: ["nll", "ece"],
  });
  const [nll, ece] = mute.scores.filter((score) => score.method === "mute");
  expect(nll).toMatchObject({ n: 0, unscored: 40, value: null });
  expect(nll?.bounds.low).toBeCloseTo(0, 12);
  expect(nll?.bounds.high).toBeCloseTo(-Math.log(1e-15), 9);
  expect(ece?.bounds).toEqual({ low: 0, high: 1 });
});

test("bounds hold whatever the unscored answers were, in accuracy, Brier score and likelihood", () => {
  const answer = fc.record({
    label: fc.constantFrom(0 as const, 1 as const),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    isScored: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(answer, { minLength: 1, maxLength: 20 }),
      fc.constantFrom("accuracy" as const, "brier" as const, "nll" as const),
      (all, metric) => {
        const answers = all.filter(({ isScored }) => isScored);
        const unscored = all.length - answers.length;
        const columns = (some: typeof all) => ({
          label: Float64Array.from(some, ({ label }) => label),
          probability: Float64Array.from(some, ({ probability }) => probability),
        });
        const about = { method: "m", answers: columns(answers), unscored };
        const whole = { ...about, answers: columns(all), unscored: 0 };
        const truth = methodScore(metric, whole).value ?? 9;
        const { bounds } = methodScore(metric, about);
        expect(truth).toBeGreaterThanOrEqual((bounds.low ?? 9) - 1e-12);
        expect(truth).toBeLessThanOrEqual((bounds.high ?? -9) + 1e-12);
      },
    ),
  );
});

test("p-values are adjusted as asked", () => {
  const pOf = (adjust: "by" | "bh" | "holm" | "none") =>
    significance(rows, { ...options, metrics: ["brier"], adjust }).tests.find(
      (each) => each.method === "bad",
    );
  expect(pOf("none")).toMatchObject({ p: 1 / 1000, pAdjusted: 1 / 1000 });
  expect(pOf("bh")?.pAdjusted).toBeCloseTo(2 / 1000, 12);
  expect(pOf("holm")?.pAdjusted).toBeCloseTo(2 / 1000, 12);
  expect(pOf("by")?.pAdjusted).toBeCloseTo(3 / 1000, 12);
});

test("answers of 0.5 are named, since they predict a 1", () => {
  const torn = method("torn", (label, at) => (at < 3 ? 0.5 : 1 - label));
  const { warnings } = significance([...rows.slice(0, 40), ...torn], options);
  expect(warnings).toEqual(["torn: 3 of 40 answers have a probability of 0.5, which predicts a 1"]);
});
