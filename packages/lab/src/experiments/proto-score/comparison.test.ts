import type { Comparison } from "touchstone-t2i/internal/analysis/pairs/prototypicality-effect.js";
import type { TripletRow } from "touchstone-t2i/internal/analysis/pairs/triplets.js";
import type { Key } from "touchstone-t2i/internal/core/keys.js";
import { expect, test } from "vitest";
import { type ProtoScoreAnswers, protoScoreComparison } from "./comparison.js";

const few = { resamples: 200, seed: 0 };

function row(
  prompt: number,
  comparison: Comparison,
  [correct, adversarial]: readonly [number | null, number | null],
): TripletRow {
  const key = `prompt ${prompt}` as Key;
  return {
    id: `${key}/0/${comparison}`,
    metric: "proto-score",
    domain: "animals",
    category: "birds",
    nonPrototype: "penguin",
    prototype: "robin",
    knob: "count",
    prompt: key,
    text: "An animal is in a park.",
    sample: 0,
    comparison,
    correct,
    adversarial,
    images: { correct: key, adversarial: key },
  };
}

/** Of four prompts: triplets of one fail, reversed conflicts of three, of which one tie; one is unscored. */
const rows = [
  row(1, "contrastive", [0.9, 0.1]),
  row(2, "contrastive", [0.9, 0.1]),
  row(3, "contrastive", [0.9, 0.1]),
  row(4, "contrastive", [0.1, 0.9]),
  row(1, "reversed", [0.1, 0.9]),
  row(2, "reversed", [0.1, 0.9]),
  row(3, "reversed", [0.5, 0.5]),
  row(4, "reversed", [0.9, 0.1]),
  row(1, "control-typical", [0.9, 0.1]),
  row(2, "control-atypical", [0.9, null]),
];

/** Three of the four pairs of a right and a wrong sentence stand in the right order. */
const ordinary = [
  { scene: "a", isRight: true, score: 0.9 },
  { scene: "a", isRight: false, score: 0.4 },
  { scene: "b", isRight: true, score: 0.3 },
  { scene: "b", isRight: false, score: 0.2 },
  { scene: "b", isRight: false, score: null },
];

const answers: ProtoScoreAnswers = { name: "lab:proto-score", says: "GRPO", rows, ordinary };

test("failures, prejudice, alignment and calibration of a metric, as worked out by hand", () => {
  const { methods, prompts, scenes } = protoScoreComparison([answers], few);
  expect({ prompts, scenes }).toEqual({ prompts: 4, scenes: 2 });
  const [found] = methods;
  expect(found).toMatchObject({
    name: "lab:proto-score",
    triplets: { n: 4, unscored: 0, value: { value: 0.25 } },
    controls: { n: 1, unscored: 1, value: { value: 0 } },
    reversed: { n: 4, unscored: 0, value: { value: 0.75 } },
    prejudice: { n: 4, unscored: 0, value: { value: -0.5 } },
    alignment: { n: 4, unscored: 1, value: { value: 0.75 } },
  });
  // Of 16 images 7 have 0.1 and 2 of these are... right ones among 0.1: 3 of 7; 0.5: 1 of 2; 0.9: 4 of 7.
  const bins = [
    [7, 0.1, 3 / 7],
    [2, 0.5, 1 / 2],
    [7, 0.9, 4 / 7],
  ] as const;
  const error = bins.reduce((sum, [n, said, right]) => sum + (n / 16) * Math.abs(said - right), 0);
  expect(found?.calibrationError).toMatchObject({ n: 16, unscored: 0 });
  expect(found?.calibrationError.value.value).toBeCloseTo(error, 9);
});

test("a metric that is no probability is calibrated by what it says of one", () => {
  const sure = { ...answers, probabilityOf: () => 0.5 };
  const [found] = protoScoreComparison([sure], few).methods;
  expect(found?.calibrationError.value.value).toBeCloseTo(0, 9);
  expect(found?.triplets.value.value).toBe(0.25);
});

test("where nothing was scored every figure says so", () => {
  const [found] = protoScoreComparison([{ ...answers, rows: [], ordinary: [] }], few).methods;
  for (const each of [
    found?.triplets,
    found?.prejudice,
    found?.alignment,
    found?.calibrationError,
  ]) {
    expect(each?.n).toBe(0);
    expect(each?.value).toMatchObject({ value: null, reason: expect.any(String) });
  }
});
