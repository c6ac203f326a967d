import { expect, it } from "vitest";
import {
  acrossSets,
  isShown,
  type MetricAcrossSets,
  otherRules,
  randomEffects,
  type SetOfFigures,
} from "./across-sets.js";
import type { MetricFigures } from "./set-figures.js";

const none = { value: null, low: null, high: null, reason: "of no concern here" };
const figures = (value: number, unscored = 0): MetricFigures => ({
  n: 100 - unscored,
  unscored,
  pairs: 100,
  accuracyWithin: { value, low: null, high: null, error: 0.02 },
  accuracyMajority: value,
  accuracyTies: { value: null, epsilon: null },
  accuracyPooled: none,
  kendallTauB: none,
  spearman: none,
  pearson: none,
  ceilingShare: { ...none, error: null },
  generators: { n: 0, accuracy: null },
});
const set = (
  name: string,
  metrics: Readonly<Record<string, MetricFigures>>,
  more: Partial<SetOfFigures> = {},
): SetOfFigures => ({
  name,
  asked: "alignment",
  n: 100,
  clusters: 50,
  people: { raters: 1, alpha: none, ceiling: { ...none, error: null } },
  metrics,
  judges: {},
  covariance: Object.keys(metrics).map((_, at, all) =>
    all.map((_, other) => (at === other ? 0.0004 : 0.0003)),
  ),
  ...more,
});
const values = { one: 0.8, two: 0.81, three: 0.79, four: 0.82 };
const sets = Object.entries(values).map(([name, value]) =>
  set(name, { good: figures(value), close: figures(value - 0.004), bad: figures(value - 0.2) }),
);

const isWorse = ({ againstBest }: MetricAcrossSets) => isShown(againstBest);

it("averages over sets, the best first, and groups what is not shown to differ", () => {
  const found = acrossSets(sets, "alignment");
  expect(found.map(({ metric, sets, group }) => [metric, sets, group])).toEqual([
    ["good", 4, 1],
    ["close", 4, 1],
    ["bad", 4, 2],
  ]);
  expect(found.map(({ againstBest }) => againstBest?.sets)).toEqual([undefined, 4, 4]);
  expect(found.map(isWorse)).toEqual([false, false, true]);
  // 0.004 on every set alike is less than the errors of the sets allow to tell.
  expect(found[0]?.accuracyWithin.value).toBeCloseTo(0.805, 12);
  expect(found[0]?.accuracyWithin.low).toBeLessThan(0.805);
});

it("does not tell apart metrics of which the difference varies over sets", () => {
  const varying = sets.map((one, at) => ({
    ...one,
    metrics: { ...one.metrics, close: figures(0.78 + 0.06 * (at % 2)) },
  }));
  const found = acrossSets(varying, "alignment");
  expect(found.slice(0, 2).map(({ group }) => group)).toEqual([1, 1]);
});

it("averages nothing below three sets, and no other question's sets", () => {
  const [first, second, ...rest] = sets;
  if (!first || !second) throw new Error("Expected two sets");
  const other = rest.map((one) => ({ ...one, asked: "quality" as const }));
  const [best] = acrossSets([first, second, ...other], "alignment");
  expect(best).toMatchObject({ sets: 2, group: null, tau2: null, prediction: null });
  expect(best?.accuracyWithin).toMatchObject({ value: null, reason: expect.any(String) });
});

it("leaves out a set of the same images, and one that a metric hardly scored", () => {
  const more = [
    ...sets,
    set("again", { good: figures(0.1) }, { sameImagesAs: "one" }),
    set("unparsed", { good: figures(0.1, 40) }),
  ];
  const good = acrossSets(more, "alignment").find(({ metric }) => metric === "good");
  expect(good?.sets).toBe(4);
  expect(good?.each.filter(({ leftOut }) => leftOut !== undefined).map(({ set }) => set)).toEqual([
    "again",
    "unparsed",
  ]);
});

it("names the sets whose first metric depends on the rule", () => {
  const by = (within: number, pooled: number, unscored = 0): MetricFigures => ({
    ...figures(within, unscored),
    accuracyPooled: { value: pooled, low: null, high: null },
  });
  const found = otherRules([
    set("moved", { one: by(0.8, 0.6), other: by(0.7, 0.65) }),
    set("same", { one: by(0.8, 0.6), other: by(0.7, 0.5) }),
    // What left out more than a tenth does not count, and one metric alone is no comparison.
    set("silent", { one: by(0.8, 0.6), other: by(0.7, 0.9, 20) }),
  ]);
  expect(found.find(({ rule }) => rule === "pairs of all prompts")).toEqual({
    rule: "pairs of all prompts",
    sets: 2,
    moved: [{ set: "moved", first: "one", byThisRule: "other" }],
  });
  expect(found.find(({ rule }) => rule.startsWith("Pearson"))).toMatchObject({
    sets: 0,
    moved: [],
  });
});

/** Thirteen trials of BCG against tuberculosis: cases and others, vaccinated and not (metafor's dat.bcg). */
const trials = [
  [4, 119, 11, 128],
  [6, 300, 29, 274],
  [3, 228, 11, 209],
  [62, 13536, 248, 12619],
  [33, 5036, 47, 5761],
  [180, 1361, 372, 1079],
  [8, 2537, 10, 619],
  [505, 87886, 499, 87892],
  [29, 7470, 45, 7232],
  [17, 1699, 65, 1600],
  [186, 50448, 141, 27197],
  [5, 2493, 3, 2338],
  [27, 16886, 29, 17825],
] as const;
const effects = trials.map(([a, b, c, d]) => Math.log(a / (a + b) / (c / (c + d))));
const variances = trials.map(([a, b, c, d]) => 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d));

it("gives what metafor prints for its BCG example, and SciPy to 1e-6", () => {
  const found = randomEffects(effects, variances);
  // metafor: rma(yi, vi, method = "REML") gives -0.7145 and tau^2 0.3132.
  expect(found?.value).toBeCloseTo(-0.7145, 4);
  expect(found?.tau2).toBeCloseTo(0.3132, 4);
  // The restricted likelihood maximised by SciPy, with test = "knha".
  const scipy = {
    tau2: 0.3132432611,
    value: -0.7145323424,
    error: 0.1807917442,
    low: -1.1084437141,
    high: -0.3206209708,
    p: 0.0019200151,
  };
  for (const [name, value] of Object.entries(scipy)) {
    expect({ name, value: Reflect.get(found ?? {}, name) }).toEqual({
      name,
      value: expect.closeTo(value, 6),
    });
  }
  expect(found?.prediction.low).toBeCloseTo(-1.9960168, 6);
  expect(found?.prediction.high).toBeCloseTo(0.5669522, 6);
});

it("finds no variance between studies that differ less than their errors", () => {
  const found = randomEffects([0.5, 0.6, 0.55], [0.01, 0.01, 0.01]);
  expect(found).toMatchObject({ tau2: 0, studies: 3, value: expect.closeTo(0.55, 12) });
  // The error is the spread of the effects: sqrt(0.005 / (2 * 3)).
  expect(found?.error).toBeCloseTo(Math.sqrt(0.005 / 6), 12);
});

it("averages no single study", () => {
  expect(randomEffects([0.5], [0.01])).toBeUndefined();
});
