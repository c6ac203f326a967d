import { expect, test } from "vitest";
import { preferences } from "../../analysis/preferences/preferences.js";
import { randomFrom } from "../../core/random.js";
import { studyConfigSchema } from "../config/study-schema.js";
import { type Aim, answerModel } from "./answer-model.js";
import {
  isShown,
  planStudy,
  type SimulatedStudy,
  simulatedAnswers,
  simulatedEstimate,
  studyCost,
} from "./plan-study.js";

function blockOf(protocol: string, more: object = {}) {
  const blocks = [{ protocol, from: "items.csv", ...more }];
  const [block] = studyConfigSchema.parse({ title: "Study", consent: "Yes?", blocks }).blocks;
  if (block === undefined) throw new Error("no block");
  return block;
}

function studyOf(protocol: string, aim: Aim, more: Partial<SimulatedStudy> = {}): SimulatedStudy {
  const block = blockOf(protocol);
  const model = answerModel(block, { aim, prevalence: 0.5, ties: 0.2 });
  return { protocol: block.protocol, model, aim, items: 100, raters: 3, error: 0.1, ...more };
}

function shownOf(study: SimulatedStudy, times = 300): number {
  const shown = Array.from({ length: times }, (_, at) =>
    isShown(simulatedEstimate(study, randomFrom(1, at)), study),
  );
  return shown.filter(Boolean).length;
}

// Of 300 at alpha .05, 15 are expected; a binomial variable lies in 4 to 30 but once in a thousand.
test.each(["rating", "likert", "localized", "rubric", "pairwise"])(
  "%s: where nothing differs, about one study in twenty shows a difference",
  (protocol) => {
    const shown = shownOf(studyOf(protocol, { difference: 0 }));
    expect(shown).toBeGreaterThanOrEqual(4);
    expect(shown).toBeLessThanOrEqual(30);
  },
);

// The bench tries more of it: over annotators alone, these intervals hold the truth 59 times in 100.
test("where three raters share all items, a win rate's interval holds the truth", () => {
  const aim = { difference: 0.1 };
  const study = studyOf("pairwise", aim, { error: 0 });
  const held = Array.from({ length: 300 }, (_, at) => {
    const { low, high } = simulatedEstimate(study, randomFrom(2, at));
    return (low ?? 1) <= 0.6 && 0.6 <= (high ?? 0);
  }).filter(Boolean).length;
  // Of 300 at 0.95, 285 are expected; a binomial variable lies below 270 but once in a thousand.
  expect(held).toBeGreaterThanOrEqual(270);
});

test("a win rate's interval is that of analyze preferences --cluster both", () => {
  const study = studyOf("pairwise", { difference: 0.1 }, { items: 40, itemsPerPerson: 20 });
  const answers = simulatedAnswers(study, randomFrom(3));
  const rows = answers.flatMap((own, item) =>
    own.map((at, rater) => {
      const preferred = (["a", "tie", "b"] as const)[at] ?? "tie";
      const annotator = `w${(item * 3 + rater) % 6}`;
      return { a: "a", b: "b", preferred, prompt: `p${item}`, annotator };
    }),
  );
  const [pair] = preferences(rows, { cluster: "both" }).pairs;
  const found = simulatedEstimate(study, randomFrom(3));
  for (const bound of ["low", "value", "high"] as const) {
    expect(found[bound]).toBeCloseTo(pair?.winRate[bound] ?? Number.NaN, 12);
  }
});

test("agreement that is as high as the bound is seldom shown to lie above it", () => {
  // Two answers, an error rate of e: kappa is (1 - 2e)^2.
  const shown = shownOf(studyOf("localized", { kappa: 0.64 }));
  expect(shown).toBeLessThanOrEqual(20);
  expect(shownOf(studyOf("localized", { kappa: 0.4 }))).toBeGreaterThan(270);
});

test("estimates lie about what was put in, drawn towards nothing by raters' errors", () => {
  const many = { items: 10_000 };
  const at = (study: SimulatedStudy) => simulatedEstimate(study, randomFrom(0)).value;
  expect(at(studyOf("likert", { difference: 0.5 }, { ...many, error: 0 }))).toBeCloseTo(0.5, 1);
  expect(at(studyOf("localized", { difference: 0.2 }, many))).toBeCloseTo(0.2 * 0.8, 1);
  expect(at(studyOf("pairwise", { difference: 0.1 }, { ...many, error: 0 }))).toBeCloseTo(0.6, 1);
  expect(at(studyOf("rubric", { kappa: 0.5 }, many))).toBeCloseTo(0.64, 1);
});

test("one careful rater's win rate has the power of the textbook", () => {
  // (1.96 sqrt(.25) + .842 sqrt(.24))^2 / .1^2 = 194 pairs show 0.6 with power 0.8: 240 of 300, +- 3 deviations.
  const aim = { difference: 0.1 };
  const model = answerModel(blockOf("pairwise"), { aim, prevalence: 0.5, ties: 0 });
  const shown = shownOf(studyOf("pairwise", aim, { model, items: 194, raters: 1, error: 0 }));
  expect(shown).toBeGreaterThanOrEqual(219);
  expect(shown).toBeLessThanOrEqual(261);
});

test("the power grows with items, and the plan is where it is reached", () => {
  const block = blockOf("pairwise");
  const options = { aim: { difference: 0.15 }, simulations: 200 };
  const plan = planStudy(block, options);
  const powers = plan.curve.map(({ power }) => power.value ?? 0);
  expect(powers.at(-1)).toBeGreaterThan(powers[0] ?? 1);
  const found = plan.curve.find(({ items }) => items === plan.items);
  expect(found?.power.value).toBeGreaterThanOrEqual(0.8);
  expect(found?.power.low).toBeLessThan(found?.power.value ?? 0);
  expect(plan.power).toEqual(found?.power);
  // Far below it fewer are enough to see that it is not reached.
  expect([plan.curve[0]?.simulations, found?.simulations]).toEqual([100, 200]);
  expect(JSON.stringify(planStudy(block, options))).toBe(JSON.stringify(plan));
  const finer = planStudy(block, { ...options, aim: { difference: 0.1 } });
  expect(finer.items).toBeGreaterThan(plan.items ?? Number.POSITIVE_INFINITY);
  const careless = planStudy(block, { ...options, error: 0.3 });
  expect(careless.items).toBeGreaterThan(plan.items ?? Number.POSITIVE_INFINITY);
});

test("what no number of items shows has a reason", () => {
  const kappa = planStudy(blockOf("localized"), { aim: { kappa: 0.7 } });
  expect(kappa.items).toBeNull();
  expect(kappa.reason).toMatch(/an error rate of 0.1 agree by a kappa of 0.6\d/);
  const chance = planStudy(blockOf("localized"), { aim: { difference: 0.2 }, error: 0.5 });
  expect(chance.reason).toMatch(/by chance/);
});

test("a difference that the answers can't have is refused", () => {
  const plan = (protocol: string, difference: number) => () =>
    planStudy(blockOf(protocol), { aim: { difference } });
  expect(plan("rating", 3)).toThrow("Expected a number from 0 to below 3 for difference");
  expect(plan("pairwise", 0.4)).toThrow("below 0.4 for difference");
  expect(plan("localized", 1)).toThrow("below 1 for difference");
  expect(plan("mental-image", 0.1)).toThrow("mental-image");
  expect(() => planStudy(blockOf("rating"), { aim: { kappa: 0.4 }, raters: 1 })).toThrow(
    "Expected 2 or more for raters",
  );
});

test("people, hours and money", () => {
  const each = { items: 100, raters: 3, seconds: 12, rate: 15 };
  expect(studyCost(blockOf("rating"), each)).toEqual({
    participants: 3,
    labels: 300,
    hours: 1,
    cost: 15,
  });
  // 15 people with 20 items and 4 repeats each: 360 answers.
  const block = blockOf("rating", { itemsPerParticipant: 20, repeats: 4 });
  expect(studyCost(block, { ...each, rate: undefined })).toEqual({
    participants: 15,
    labels: 300,
    hours: 1.2,
    cost: null,
  });
});
