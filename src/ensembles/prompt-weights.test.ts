import { expect, test } from "vitest";
import { labelLikelihoods } from "./label-likelihoods.js";
import { ensemblePrediction, promptWeights } from "./prompt-weights.js";
import reference from "./prompt-weights-reference.json" with { type: "json" };

const cases = reference.prompt_ensemble.map((each) => {
  const prompts = each.p_first[0]?.length ?? 0;
  const groups = each.membership[0]?.length ?? 0;
  const probabilities = Float64Array.from(each.p_first.flat());
  const membership = Float64Array.from(each.membership.flat());
  const likelihoods = labelLikelihoods({ labels: each.labels, probabilities, prompts });
  return { ...each, prompts, groups, probabilities, membership, likelihoods };
});

test.each(cases)("closed forms are those of the reference", (each) => {
  for (const objective of ["per-sample-entropy", "global-entropy", "balanced-entropy"] as const) {
    const { weights, objectiveValue } = promptWeights(each, { objective });
    const expected = each[objective.replaceAll("-", "_") as "global_entropy"];
    expect(objectiveValue).toBeCloseTo(expected.objective, 6);
    const flat = expected.weights.flat();
    expect(weights.length).toBe(flat.length);
    flat.forEach((weight, at) => {
      expect(Math.abs((weights[at] ?? 0) - weight)).toBeLessThan(1e-9);
    });
  }
});

test.each(cases)("the mixture lies within the reference's certified gap", (each) => {
  for (const expected of each.mixture_marginal_likelihood) {
    const found = promptWeights(each, { objective: "mixture", lambda: expected.lambda });
    expect(found.dualityGap).toBeLessThanOrEqual(1e-8);
    expect(found.objectiveValue).toBeLessThan(expected.objective + expected.duality_gap + 1e-9);
    expect(found.objectiveValue).toBeGreaterThan(expected.objective - 1e-8);
  }
});

test.each(cases)("predictions are those of the reference", (each) => {
  const { weights } = promptWeights(each, { objective: "per-sample-entropy" });
  const found = ensemblePrediction({ ...each, weights });
  each.prediction_per_sample_entropy.forEach((p, row) => {
    expect(found[row]).toBeCloseTo(p, 9);
  });
});
