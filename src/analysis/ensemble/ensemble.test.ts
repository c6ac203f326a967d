import { describe, expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import reference from "../../ensembles/prompt-weights-reference.json" with { type: "json" };
import { calibration } from "../calibration/calibration.js";
import { ensemble } from "./ensemble.js";
import { ensembleMethods } from "./ensemble-methods.js";
import type { EnsembleRow } from "./ensemble-rows.js";

const few = { resamples: 100, permutations: 200 };

/** A world with two kinds of image; prompts 0 and 1 are each good at one, prompt 2 is a coin. */
function world(sizes: { validation: number; test: number; support: number }): EnsembleRow[] {
  const random = randomFrom("two kinds of image");
  const wobble = (centre: number) => centre + random.between(-0.2, 0.2);
  return Object.entries(sizes).flatMap(([split, count]) =>
    Array.from({ length: count }, (_, at): EnsembleRow => {
      const kind = random.integer(2);
      const label = random.integer(2) as 0 | 1;
      const likely = [0, 1, 2].map((prompt) =>
        prompt === kind ? random.between(0.7, 0.95) : random.between(0.1, 0.9),
      );
      return {
        id: `${split} ${at}`,
        split: split as EnsembleRow["split"],
        label: split === "support" ? null : label,
        probabilities:
          split === "support" ? [] : likely.map((each) => (label === 1 ? each : 1 - each)),
        embedding: [wobble(1 - kind), wobble(kind)],
        membership: null,
      };
    }),
  );
}
const rows = world({ validation: 24, test: 90, support: 40 });
const found = ensemble(rows, few);

test.each(reference.prompt_ensemble)("weights are those of the reference", (given) => {
  const asked = (split: "validation" | "test") =>
    given.labels.map(
      (label, at): EnsembleRow => ({
        id: `${split} ${String(at).padStart(4, "0")}`,
        split,
        label: label === 1 ? 1 : 0,
        probabilities: given.p_first[at] ?? [],
        embedding: null,
        membership: given.membership[at] ?? null,
      }),
    );
  const { methods } = ensemble([...asked("validation"), ...asked("test")], {
    objective: "per-sample-entropy",
    resamples: 2,
    permutations: 2,
  });
  expect(methods.mmb.objectiveValue).toBeCloseTo(given.per_sample_entropy.objective, 6);
  given.per_sample_entropy.weights.forEach((weights, group) => {
    weights.forEach((weight, prompt) => {
      expect(Math.abs((methods.mmb.weights?.[group]?.[prompt] ?? 1) - weight)).toBeLessThan(1e-9);
    });
  });
  const said = given.prediction_per_sample_entropy;
  const right = given.labels.filter((label, at) => ((said[at] ?? 0) >= 0.5 ? 1 : 0) === label);
  const share = right.length / given.labels.length;
  expect(methods.mmb.metrics.accuracy).toBeCloseTo(share, 12);
});

test("metrics of a method are those of its predictions", () => {
  const tested = rows.filter(({ split }) => split === "test");
  const mean = ({ probabilities }: EnsembleRow) =>
    probabilities.reduce<number>((sum, each) => sum + (each ?? 0) / 3, 0);
  const of = (probability: (row: EnsembleRow) => number) =>
    calibration(
      tested.map((row) => ({ id: row.id, label: row.label, probability: probability(row) })),
      { resamples: 100 },
    );
  const average = of(mean);
  const single = [0, 1, 2].map((prompt) => of((row) => row.probabilities[prompt] ?? 0));
  for (const name of ["ece", "mce", "nll", "accuracy", "f1", "rocAuc"] as const) {
    expect(found.methods.average.metrics[name]).toBeCloseTo(average[name] ?? Number.NaN, 12);
    const ofOne = single.reduce((sum, each) => sum + (each[name] ?? Number.NaN) / 3, 0);
    expect(found.methods.standard.metrics[name]).toBeCloseTo(ofOne, 12);
    const best = single[found.bestPrompt]?.[name] ?? Number.NaN;
    expect(found.methods.best.metrics[name]).toBeCloseTo(best, 12);
  }
});

test("groups that follow the kinds of image are found, and their prompts", () => {
  const two = ensemble(rows, { ...few, objective: "mixture", clusters: 2, temperature: 0.1 });
  expect(new Set(two.groups.map(({ heaviestPrompt }) => heaviestPrompt))).toEqual(new Set([0, 1]));
  expect(two.groups.reduce((sum, { images }) => sum + (images ?? 0), 0)).toBe(40);
  expect(two.groups.reduce((sum, { support }) => sum + support, 0)).toBeCloseTo(24, 9);
  expect(two.methods.mmb.dualityGap).toBeLessThanOrEqual(1e-8);
  expect(two.methods.mmb).toMatchObject({ objective: "mixture", lambda: 1 });
  expect(two.methods.bpe.weights).toHaveLength(1);
  expect(two.methods.mmb.metrics.nll).toBeLessThan(two.methods.bpe.metrics.nll ?? 0);
});

test("each method is tested against the best by each metric, adjusted over its tests", () => {
  for (const metric of ["ece", "nll", "brier", "accuracy"] as const) {
    const tests = found.tests.filter((each) => each.metric === metric);
    expect(tests).toHaveLength(ensembleMethods.length - 1);
    const against = tests[0]?.against ?? "mmb";
    const best = found.methods[against].metrics[metric] ?? Number.NaN;
    for (const each of tests) {
      const own = found.methods[each.method].metrics[metric] ?? Number.NaN;
      expect(each.difference).toBeCloseTo(own - best, 12);
      expect(metric === "accuracy" ? each.difference <= 0 : each.difference >= 0).toBe(true);
      expect(each.p).toBeGreaterThan(0);
      expect(each.pAdjusted).toBeGreaterThanOrEqual(each.p);
    }
  }
});

test("the order of rows changes nothing", () => {
  expect(ensemble(rows.toReversed(), few)).toEqual(found);
});

test("labels swapped together with what the answers mean change no score", () => {
  const swapped = rows.map(
    (row): EnsembleRow => ({
      ...row,
      label: row.label === null ? null : row.label === 1 ? 0 : 1,
      probabilities: row.probabilities.map((each) => (each === null ? null : 1 - each)),
    }),
  );
  const other = ensemble(swapped, few);
  for (const method of ensembleMethods) {
    for (const name of ["accuracy", "nll", "brier", "ece"] as const) {
      const expected = found.methods[method].metrics[name] ?? Number.NaN;
      expect(other.methods[method].metrics[name]).toBeCloseTo(expected, 6);
    }
  }
});

describe("what is hardly there", () => {
  const of = (change: (row: EnsembleRow, at: number) => Partial<EnsembleRow>) =>
    ensemble(
      rows.map((row, at) => ({ ...row, ...change(row, at) })),
      few,
    );

  test("without labels to fit on every weight is alike", () => {
    const { methods, warnings, validation } = of(({ split }) =>
      split === "validation" ? { label: null } : {},
    );
    expect(validation).toMatchObject({ n: 0, unscored: 24 });
    expect(methods.mmb.weights).toEqual([
      [1 / 3, 1 / 3, 1 / 3].map((one) => expect.closeTo(one, 12)),
    ]);
    expect(methods.mmb.metrics.nll).toBeCloseTo(methods.average.metrics.nll ?? 0, 12);
    expect(warnings.join()).toContain("all weights are uniform");
  });

  test("without embeddings there is one group, and mmb is bpe", () => {
    const { methods, chosen, warnings } = of(() => ({ embedding: null }));
    expect(chosen).toMatchObject({ clusters: 1, temperature: null });
    expect(methods.mmb.weights).toEqual(methods.bpe.weights);
    expect(warnings.join()).toContain("mmb is bpe");
  });

  test("a prompt that never answers weighs nothing and is named", () => {
    const { methods, silentPrompts, warnings } = of(
      ({ probabilities: [first = 0, , third = 0] }) => ({
        probabilities: [first, null, third],
      }),
    );
    expect(silentPrompts).toEqual([1]);
    expect(methods.mmb.weights?.every(([, silent]) => silent === 0)).toBe(true);
    expect(methods.average).toMatchObject({ n: 90, unscored: 0 });
    // One prompt at random of those that answer.
    expect(methods.standard).toMatchObject({ n: 90, unscored: 0 });
    expect(warnings.join()).toContain("prompt 2 answered none of the labels");
  });

  test("rows that nobody labelled or answered are counted and in nothing", () => {
    const { n, unscored, methods } = of(({ id }) =>
      id === "test 0"
        ? { label: null }
        : id === "test 1"
          ? { probabilities: [null, null, null] }
          : {},
    );
    expect({ n, unscored }).toEqual({ n: 88, unscored: 2 });
    expect(methods.mmb.n).toBe(88);
  });

  test("all labels to fit on equal, and one test row", () => {
    expect(
      of(({ split }) => (split === "validation" ? { label: 1 } : {})).warnings.join(),
    ).toContain("all 24 labels to fit on are 1");
    const one = ensemble(world({ validation: 3, test: 1, support: 0 }), few);
    expect(one.methods.mmb.intervalsOf.accuracy).toMatchObject({ low: null, high: null });
    expect(one.warnings.join()).toContain("weights come from 3 labels only");
  });

  test("rows of another shape, and tests without a label, are refused", () => {
    expect(() => of((_, at) => (at === 3 ? { probabilities: [0.5] } : {}))).toThrow(
      "Expected 3 probabilities",
    );
    expect(() => of((_, at) => (at === 3 ? { embedding: [0.5] } : {}))).toThrow(
      "Expected an embedding of 2 numbers",
    );
    expect(() => of(({ split }) => (split === "test" ? { label: null } : {}))).toThrow(
      "Expected rows of split test with a label",
    );
  });
});

test("a gap that rounding leaves is no caveat; one that is more is", () => {
  const wide = world({ validation: 5000, test: 20, support: 0 });
  const { methods, warnings } = ensemble(wide, {
    ...few,
    objective: "mixture",
    lambda: 0.1,
    clusters: 1,
  });
  expect(methods.mmb.dualityGap).toBeGreaterThan(1e-8);
  expect(warnings.join()).not.toContain("may lie");
  const hard = ensemble(rows, { ...few, objective: "mixture", lambda: 1e-9, clusters: 1 });
  expect(hard.warnings.join()).toContain("below the best objective value");
});
