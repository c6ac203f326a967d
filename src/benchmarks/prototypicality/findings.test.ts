import { expect, test } from "vitest";
import type { Claim } from "../../analysis/inference/claims.js";
import { comparisons, prototypicalityEffect } from "../../analysis/pairs/prototypicality-effect.js";
import type { EvaluatedMetric, TripletRow } from "../../analysis/pairs/triplets.js";
import { keyOf } from "../../core/keys.js";
import type { PrototypicalityQuantity } from "../paper-claims.js";
import { prototypicalityFindings } from "./findings.js";

const metric: EvaluatedMetric = {
  id: "clip-score",
  metric: "clip-score",
  version: 1,
  statistic: "cosine",
  model: "test:a",
  range: [0, 1],
  direction: "higher",
};

/** Of 40 prompts in three domains the triplets of the first `failing` fail; no control does. */
function evidence(failing: number) {
  const rows = Array.from({ length: 40 }, (_, at) => at).flatMap((at) =>
    comparisons.map((comparison): TripletRow => {
      const domain = ["animals", "demography", "objects"][at % 3] ?? "";
      const prompt = keyOf({ at });
      const fails = comparison === "contrastive" && at < failing;
      return {
        id: `${at} ${comparison}`,
        metric: metric.id,
        domain,
        category: domain,
        nonPrototype: "a",
        prototype: "b",
        knob: "position",
        prompt,
        text: `${at}`,
        sample: 0,
        comparison,
        correct: fails ? 0.2 : 0.8,
        adversarial: fails ? 0.8 : 0.2,
        images: { correct: prompt, adversarial: prompt },
      };
    }),
  );
  const effect = prototypicalityEffect(rows, { resamples: 200 }).metrics[metric.id];
  if (effect === undefined) throw new RangeError("Expected the effect");
  return {
    metrics: [metric],
    results: { metrics: [{ metric: metric.id, ...effect }] },
    differences: [],
    rows,
    tieTolerance: 1e-6,
    timed: [],
    seed: 0,
  };
}

test("a verdict says of no effect what the claim about it leaves undecided", () => {
  const claim = (threshold: number, kind: "effect" | "failure-rate") =>
    ({
      statement: "s",
      source: "t",
      expected: "above",
      threshold,
      quantity: { kind, metric: "clip-score" },
    }) satisfies Claim<PrototypicalityQuantity>;
  const rates = Array.from({ length: 8 }, () => claim(0.1, "failure-rate"));
  const claims = [claim(0, "effect"), ...rates];
  const judged = (failing: number) => {
    const { findings, effects } = prototypicalityFindings(claims, evidence(failing));
    const finding = findings.find(
      ({ measured, p }) => measured.endsWith("that of its controls") && p !== undefined,
    );
    return { finding, isTold: effects.has(metric.id) };
  };
  // 4 of 4 that differ: p = 1/3⁴, below 0.05 alone, not among the others.
  const few = judged(4);
  expect(few.finding?.p).toBeCloseTo(1 / 81, 2);
  expect(few.finding?.estimate.low).toBeGreaterThan(0);
  expect(few.finding?.outcome).toBe("undecided");
  expect(few.isTold).toBe(false);
  const many = judged(20);
  expect(many.finding?.outcome).toBe("holds");
  expect(many.isTold).toBe(true);
});

test("by how much metrics misrank is compared over all triplets, as a share of each one's range", () => {
  const wide: EvaluatedMetric = {
    ...metric,
    id: "proto-score",
    metric: "proto-score",
    range: [0, 2],
  };
  const { rows, ...others } = evidence(20);
  // Of 40 triplets clip-score misranks 20 by 0.6 of 1; proto-score misranks 4 by 0.4 of 2.
  const trained = evidence(4).rows.map((row) => ({
    ...row,
    metric: wide.id,
    correct: row.correct === 0.2 ? 0.4 : row.correct,
  }));
  const claim: Claim<PrototypicalityQuantity> = {
    statement: "s",
    source: "t",
    expected: "below",
    threshold: 0,
    quantity: { kind: "misranking-difference", metric: "proto-score", than: "clip-score" },
  };
  const { findings } = prototypicalityFindings([claim], {
    ...others,
    metrics: [metric, wide],
    rows: [...rows, ...trained],
  });
  expect(findings).toMatchObject([{ n: 40, outcome: "holds" }]);
  expect(findings[0]?.estimate.value).toBeCloseTo((4 * 0.2 - 20 * 0.6) / 40, 9);

  const endless = { ...wide, range: [0, Number.POSITIVE_INFINITY] as const };
  const without = prototypicalityFindings([claim], {
    ...others,
    metrics: [metric, endless],
    rows: [...rows, ...trained],
  });
  expect(without.findings).toMatchObject([
    { outcome: "undecided", reason: "proto-score has no range" },
  ]);
});

test("a metric is faster than a large judge by the run's trace; of the lab's no model is one", () => {
  const { rows, ...others } = evidence(4);
  const claim: Claim<PrototypicalityQuantity> = {
    statement: "s",
    source: "t",
    expected: "below",
    threshold: 0,
    quantity: { kind: "seconds-difference", metric: "proto-score", than: "mllm-rating" },
  };
  const judgedBy = (model: string, timedPrompts: number) => {
    const named = (name: string, its: string) => ({
      ...metric,
      id: name,
      metric: name,
      model: its,
    });
    const metrics = [named("proto-score", "test:small"), named("mllm-rating", model)];
    const timed = metrics.flatMap(({ id }, which) =>
      Array.from({ length: timedPrompts }, (_, at) => ({
        metric: id,
        id: keyOf({ image: at }),
        prompt: keyOf({ at }),
        start: at,
        seconds: 1 + which * (2 + at / 100),
        score: keyOf({ score: id, at }),
        calls: 1,
        tokens: 9,
        cost: 0,
      })),
    );
    const [finding] = prototypicalityFindings([claim], {
      ...others,
      metrics,
      results: { metrics: [] },
      rows,
      timed,
    }).findings;
    return finding;
  };
  const found = judgedBy("test:large", 20);
  expect(found).toMatchObject({ outcome: "holds", n: 20, scale: "seconds" });
  expect(found?.estimate.value).toBeCloseTo(-2.095, 9);
  expect(judgedBy("lab:rater@1", 20)).toMatchObject({
    outcome: "undecided",
    reason: "the judge lab:rater is no large model",
    n: 0,
  });
  expect(judgedBy("test:large", 0)?.reason).toBe("the run's trace has times of both for no image");
});
