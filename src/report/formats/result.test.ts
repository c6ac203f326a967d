import { expect, test } from "vitest";
import { readResult } from "./result.js";

test("a gate that no single model misses is failed by itself, with its reason", () => {
  const cautions = ["3 prompts of the baseline are missing"];
  const models = [{ model: "a", passed: true }];
  const { checks } = readResult({ verdict: "", gate: { passed: false, models, cautions } });
  expect(checks).toMatchObject([
    { name: "gate", of: {}, state: "failed", message: cautions[0] },
    { name: "gate", of: { model: "a" }, state: "passed" },
  ]);
});

test("counts and settings are no figures; what an undefined number is of stays", () => {
  const alpha = { value: null, low: null, high: null, reason: "one rater" };
  const { figures } = readResult({
    verdict: "",
    items: 12,
    chosen: { lambda: 2, temperature: 1.5 },
    tests: [{ metric: "ece", method: "coin", n: 24, difference: -0.03, p: 0.7 }],
    test: { t: 2.1, meanDifference: 0.4, low: 0.2, high: 0.6 },
    brierParts: { reliability: 0.1 },
    questions: { n: 3, alpha },
  });
  const of = { metric: "ece", method: "coin" };
  expect(figures).toEqual([
    { name: "tests.difference", of, n: 24, value: -0.03, low: null, high: null },
    { name: "tests.p", of, n: 24, value: 0.7, low: null, high: null },
    { name: "test.meanDifference", of: {}, value: 0.4, low: 0.2, high: 0.6 },
    { name: "brierParts.reliability", of: {}, value: 0.1, low: null, high: null },
    { name: "questions.alpha", of: {}, n: 3, ...alpha },
  ]);
});
