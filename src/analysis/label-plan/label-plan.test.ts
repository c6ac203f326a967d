import { expect, test } from "vitest";
import { allocateLabels, labelPlan } from "./label-plan.js";
import type { PlanUnit } from "./plan-units.js";

/** Scores from -1 to 1; people find the first better where it is above 0, but for every `errs`-th item. */
function units(count: number, labelled = 0, errs = 5): PlanUnit[] {
  return Array.from({ length: count }, (_, at) => {
    const score = (2 * ((at * 37) % count)) / (count - 1) - 1;
    const isRight = at % errs !== 0 || Math.abs(score) > 0.5;
    const answer = at >= labelled ? null : Number(score > 0 === isRight);
    return {
      score,
      forecast: score,
      groups: [""],
      answer,
      weight: null,
      round: null,
      stratum: null,
    };
  });
}

test("labels are allocated by items and spread, each stratum getting some", () => {
  const strata = [
    { items: 50, spread: 0.5 },
    { items: 50, spread: 0.1 },
    { items: 1, spread: 0.5 },
  ];
  expect(allocateLabels(strata, 13)).toEqual([10, 2, 1]);
  const zero = allocateLabels(
    [
      { items: 60, spread: 0.5 },
      { items: 40, spread: 0 },
    ],
    20,
  );
  expect(zero).toEqual([18, 2]);
  expect(allocateLabels(strata, 200)).toEqual([50, 50, 1]);
});

test("no probability is below 0.02 of the mean", () => {
  const [, few = 0] = allocateLabels(
    [
      { items: 500, spread: 1 },
      { items: 5000, spread: 0 },
    ],
    1000,
  );
  expect(few / 5000).toBeGreaterThanOrEqual((0.02 * 1000) / 5500);
});

test("weights of what is drawn sum to the items, and the seed alone decides", () => {
  const plan = labelPlan(units(200), { aim: "compare", budget: 40, seed: 1 });
  expect(plan).toMatchObject({
    chosen: 40,
    round: 1,
    useful: null,
    correlation: { assumed: true },
  });
  expect(plan.drawn.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(200, 9);
  for (const { probability, weight } of plan.drawn) expect(weight).toBeCloseTo(1 / probability, 12);
  expect(labelPlan(units(200), { aim: "compare", budget: 40, seed: 1 }).drawn).toEqual(plan.drawn);
  expect(labelPlan(units(200), { aim: "compare", budget: 40, seed: 2 }).drawn).not.toEqual(
    plan.drawn,
  );
});

test("a later round draws from what has no label, more where labels so far differ", () => {
  const plan = labelPlan(units(400, 120), { aim: "compare", budget: 60 });
  expect(plan).toMatchObject({ useful: true, labels: 120, chosen: 60 });
  for (const { at } of plan.drawn) expect(at).toBeGreaterThanOrEqual(120);
  const probabilities = plan.strata.map(({ probability }) => probability ?? 0);
  expect(Math.max(...probabilities.slice(3, 5))).toBeGreaterThan(1.5 * (probabilities[0] ?? 1));
  expect(plan.labelsSaved).toBeGreaterThan(10);
  expect(plan.expected.planned.width).toBeLessThan(plan.expected.uniform.width ?? 0);
  expect(plan.reached).toMatchObject({ labels: 120 });
  expect(plan.reached?.sequence.width).toBeGreaterThan(plan.reached?.width ?? 1);
});

test("scores that say nothing are not gone by", () => {
  const blind = units(400, 100).map((unit, at) => ({ ...unit, answer: at < 100 ? at % 2 : null }));
  const plan = labelPlan(blind, { aim: "compare", budget: 40 });
  expect(plan.useful).toBe(false);
  const probabilities = plan.strata.map(({ probability }) => probability ?? 0);
  expect(Math.max(...probabilities) / Math.min(...probabilities)).toBeLessThan(1.6);
});

test("where all labels so far agree, items of all domains are drawn alike", () => {
  const alike = units(400, 40).map((unit, at) => ({
    ...unit,
    groups: [at % 2 === 0 ? "animals" : "objects"],
    answer: at < 40 ? 1 : null,
  }));
  const plan = labelPlan(alike, { aim: "compare", budget: 40, width: 0.1 });
  const { strata } = plan;
  const none = { width: null };
  expect(plan).toMatchObject({
    chosen: 40,
    expected: { uniform: none, planned: none },
    labelsSaved: null,
    useful: null,
    correlation: { value: null, assumed: false },
  });
  // Twelve times 0.7 is not 8.4.
  const rated = alike.map((unit, at) => ({ ...unit, answer: at < 12 ? 0.7 : null }));
  expect(labelPlan(rated, { aim: "rate", budget: 40 }).expected.planned).toEqual(none);
  for (const { spread } of strata) expect(spread).toBeNull();
  const probabilities = strata.map(({ probability }) => probability ?? 0);
  expect(Math.max(...probabilities) / Math.min(...probabilities)).toBeLessThan(1.6);
});

test("no more are chosen than the wanted width takes, and none once it is reached", () => {
  const few = labelPlan(units(400), { aim: "compare", budget: 200, width: 0.2 });
  expect(few.chosen).toBeLessThan(200);
  expect(few.expected.planned.width).toBeLessThanOrEqual(0.2);
  // A second look needs the confidence sequence, which is wider.
  const ask = { aim: "compare", budget: 200 } as const;
  const wanted = 0.9 * (labelPlan(units(400, 100), ask).reached?.sequence.width ?? 0);
  const again = labelPlan(units(400, 100), { ...ask, width: wanted });
  expect(again.chosen).toBeGreaterThan(0);
  expect(again.chosen).toBeLessThan(200);
  expect(again.expected.planned.width).toBeLessThanOrEqual(wanted / 1.4);
  const none = labelPlan(units(400, 100), { aim: "compare", budget: 200, width: 0.5 });
  expect(none).toMatchObject({ chosen: 0, enough: true, drawn: [] });
});

test("ratings of an unknown scale have no expected width before there are labels", () => {
  const rated = units(50).map((unit) => ({ ...unit, score: 20 * unit.score }));
  const plan = labelPlan(rated, { aim: "rate", budget: 10 });
  expect(plan).toMatchObject({
    chosen: 10,
    labelsSaved: null,
    expected: { planned: { width: null } },
  });
});
