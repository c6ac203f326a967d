import { expect, test } from "vitest";
import type { TripletRow } from "../../analysis/pairs/triplets.js";
import { keyOf } from "../../core/keys.js";
import { reportWarnings } from "./run-warnings.js";

const metricWith = (model: string) => ({
  id: `clip-score · ${model}@80dcc2a09671`,
  metric: "clip-score",
  version: 1,
  statistic: "cosine",
  model: `${model}@80dcc2a09671`,
  range: [0, 1] as const,
  direction: "higher" as const,
});

/** Pairs of thirty prompts of which every second one fails, without controls. */
const rowsOf = (metric: string): TripletRow[] =>
  Array.from({ length: 30 }, (_, at) => ({
    id: String(at),
    metric,
    domain: "animals",
    category: "species",
    nonPrototype: "platypus",
    prototype: "dog",
    knob: "count",
    prompt: keyOf(at),
    text: "A mammal.",
    sample: 0,
    comparison: "contrastive",
    correct: 0.5,
    adversarial: at % 2,
    images: { correct: keyOf("correct"), adversarial: keyOf("adversarial") },
  }));

test("metrics are named as tables name them, and what holds of both is said once", () => {
  const metrics = [metricWith("lab:one"), metricWith("lab:two")];
  const rows = metrics.flatMap(({ id }) => rowsOf(id));
  expect(reportWarnings(metrics, rows)).toEqual([
    "clip-score with lab:one and clip-score with lab:two: 30 of 30 prompts with triplets have no " +
      "control",
  ]);
});
