import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { noSpread } from "../inference/intervals.js";
import {
  type Comparison,
  comparisons,
  type EffectRow,
  prototypicalityEffect,
} from "./prototypicality-effect.js";

/** Rows with a given chance to fail, five pairs a prompt, domains and knobs in turn. */
function rowsWith(
  chances: Readonly<Partial<Record<Comparison, number>>>,
  prompts = 120,
  repeat = 0,
): EffectRow[] {
  const random = randomFrom(repeat, "made-up rows");
  return Array.from({ length: prompts }, (_, prompt) => prompt).flatMap((prompt) =>
    comparisons
      .filter((comparison) => comparison in chances)
      .flatMap((comparison) =>
        Array.from({ length: 5 }, (_, sample) => ({
          id: `${comparison}-${prompt}-${sample}`,
          metric: "m",
          domain: ["animals", "objects"][prompt % 2] ?? "",
          knob: ["count", "colour", "spatial"][prompt % 3] ?? "",
          prompt: `prompt ${prompt}`,
          comparison,
          correct: 0.5,
          adversarial: random.chance(chances[comparison] ?? 0) ? 0.7 : 0.3,
        })),
      ),
  );
}

const effectOf = (rows: readonly EffectRow[], options = {}) => {
  const { m } = prototypicalityEffect(rows, { resamples: 500, ...options }).metrics;
  if (m === undefined) throw new Error("no metric m");
  return m;
};

test("is the failure rate of the triplets minus that of the controls, apart and pooled", () => {
  const rows = rowsWith({ contrastive: 0.6, "control-atypical": 0.2, "control-typical": 0.4 });
  const { overall, macro, domains, knobs } = effectOf(rows);
  const rate = (wanted: readonly Comparison[]) => {
    const its = rows.filter(({ comparison }) => wanted.includes(comparison));
    return its.filter(({ adversarial }) => adversarial === 0.7).length / its.length;
  };
  expect(overall.triplets).toMatchObject({ n: 600, failureRate: { value: rate(["contrastive"]) } });
  expect(overall.controls.n).toBe(1200);
  expect(overall.effect.value).toBeCloseTo(
    rate(["contrastive"]) - rate(["control-atypical", "control-typical"]),
    12,
  );
  expect(overall.effectOverAtypical.value).toBeCloseTo(
    rate(["contrastive"]) - rate(["control-atypical"]),
    12,
  );
  expect(overall.effectOverTypical.value).toBeCloseTo(
    rate(["contrastive"]) - rate(["control-typical"]),
    12,
  );
  expect(macro.effect.value).toBeCloseTo(overall.effect.value ?? 0, 12);
  expect(Object.keys(domains)).toEqual(["animals", "objects"]);
  expect(Object.keys(knobs)).toEqual(["count", "colour", "spatial"]);
  expect(Object.values(knobs).reduce((sum, { triplets }) => sum + triplets.n, 0)).toBe(600);
});

test("sets the reversed conflict beside, against the same controls, and changes nothing else", () => {
  const chances = { contrastive: 0.6, "control-atypical": 0.2, "control-typical": 0.4 };
  const rows = rowsWith(chances);
  const reversed = rows
    .filter(({ comparison }) => comparison === "contrastive")
    .map((row, at): EffectRow => {
      const adversarial = at % 10 < 3 ? 0.7 : 0.3;
      return { ...row, id: `reversed-${at}`, comparison: "reversed", adversarial };
    });
  const without = effectOf(rows).overall;
  expect(without.reversed).toMatchObject({ n: 0, failureRate: { value: null } });
  expect(without.reversedEffect).toMatchObject({ value: null, reason: "no scored reversed pairs" });
  const beside = effectOf([...rows, ...reversed]).overall;
  expect(beside.reversed).toMatchObject({ n: 600, failureRate: { value: 0.3 } });
  expect(beside.reversedEffect.value).toBeCloseTo(
    0.3 - (without.controls.failureRate.value ?? Number.NaN),
    12,
  );
  const { reversed: _, reversedEffect: __, ...rest } = beside;
  expect(without).toMatchObject(rest);
});

test("takes what differs by rounding for a tie, which is a failure on both sides", () => {
  const rows = rowsWith({ contrastive: 0, "control-atypical": 0, "control-typical": 0 }, 10);
  const near = rows.map((row) =>
    row.comparison === "contrastive" ? { ...row, adversarial: 0.5 - 1e-9 } : row,
  );
  expect(effectOf(near).overall).toMatchObject({
    triplets: { ties: 50, failureRate: { value: 1 }, strictFailureRate: { value: 0 } },
    effect: { value: 1 },
  });
  expect(effectOf(near, { tieTolerance: 0 }).overall).toMatchObject({
    triplets: { ties: 0, failureRate: { value: 0 } },
    effect: { value: 0 },
  });
});

test("draws prompts for both sides at once: what makes a prompt hard cancels", () => {
  const hardPrompts: EffectRow[] = Array.from({ length: 60 }, (_, prompt) =>
    comparisons.map(
      (comparison): EffectRow => ({
        id: `${prompt} ${comparison}`,
        metric: "m",
        domain: "animals",
        knob: "count",
        prompt: `prompt ${prompt}`,
        comparison,
        correct: 0.5,
        adversarial: prompt % 2 === 0 ? 0.7 : 0.3,
      }),
    ),
  ).flat();
  const { overall } = effectOf(hardPrompts);
  expect(overall.triplets.failureRate.low).toBeLessThan(0.45);
  expect(overall.effect).toEqual({ value: 0, low: null, high: null, reason: noSpread });
});

test("its intervals hold the true effect about nineteen times of twenty", () => {
  const chances = { contrastive: 0.5, "control-atypical": 0.2, "control-typical": 0.3 };
  const repeats = Array.from({ length: 100 }, (_, repeat) => {
    const { low, high } = effectOf(rowsWith(chances, 40, repeat), { resamples: 200 }).overall
      .effect;
    return low !== null && high !== null && low <= 0.25 && high >= 0.25;
  });
  const covering = repeats.filter(Boolean).length;
  expect(covering).toBeGreaterThanOrEqual(87);
  expect(covering).toBeLessThan(100);
});

test("the delta method agrees with the bootstrap", () => {
  const rows = rowsWith({ contrastive: 0.6, "control-atypical": 0.2, "control-typical": 0.4 });
  const resampled = effectOf(rows, { resamples: 2000 }).macro.effect;
  const delta = effectOf(rows, { interval: "delta" }).macro.effect;
  expect(delta.value).toBe(resampled.value);
  expect(Math.abs((delta.low ?? 0) - (resampled.low ?? 1))).toBeLessThan(0.01);
  expect(Math.abs((delta.high ?? 0) - (resampled.high ?? 1))).toBeLessThan(0.01);
});

test("a missing control leaves the effect undefined with a reason, not the rate", () => {
  const rows = rowsWith({ contrastive: 0.6, "control-atypical": 0.2, "control-typical": 0.4 });
  const { overall } = effectOf(rows.filter(({ comparison }) => comparison !== "control-typical"));
  expect(overall.effectOverTypical).toMatchObject({
    value: null,
    reason: "no scored controls",
  });
  expect(overall.bothTypical.bounds).toEqual({ low: null, high: null });
  expect(overall.effect.value).toBe(overall.effectOverAtypical.value);
});

test("prompts that stand on one side only are named", () => {
  const rows = rowsWith(
    { contrastive: 0.6, "control-atypical": 0.2, "control-typical": 0.4 },
    10,
  ).filter(({ comparison, prompt }) => comparison === "contrastive" || prompt !== "prompt 3");
  expect(prototypicalityEffect(rows, { resamples: 10 }).warnings).toEqual([
    "m: 1 of 10 prompts with triplets have no control",
  ]);
  const ofTwo = rows
    .filter(({ comparison, prompt }) => comparison !== "contrastive" || prompt !== "prompt 4")
    .flatMap((row) => [row, { ...row, metric: "other" }]);
  expect(prototypicalityEffect(ofTwo, { resamples: 10 }).warnings).toEqual([
    "m and other: 1 of 9 prompts with triplets have no control and 1 of 9 prompts with controls " +
      "have no triplet",
  ]);
});

test("in brief, and where they are estimated when they are read, gives the same figures", () => {
  const rows = rowsWith({ contrastive: 0.6, "control-typical": 0.2, reversed: 0.3 });
  const whole = effectOf(rows);
  const { overall, macro, domains, knobs } = effectOf(rows, { isBrief: true });
  expect({ overall, macro }).toEqual({ overall: whole.overall, macro: whole.macro });
  expect([domains, knobs]).toEqual([{}, {}]);
  const alone = effectOf(rows.filter(({ knob }) => knob === "count")).overall.triplets;
  expect(whole.knobs.count?.triplets).toMatchObject({
    meanAdversarial: { value: alone.meanAdversarial.value },
    correctMargin: { value: alone.correctMargin.value },
  });
  expect(JSON.parse(JSON.stringify(whole.knobs.count?.triplets))).toEqual(
    whole.knobs.count?.triplets,
  );
});
