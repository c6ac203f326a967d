import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { labelLikelihoods } from "./label-likelihoods.js";
import { mixtureWeights, roundingGap } from "./mixture-weights.js";
import { promptWeights } from "./prompt-weights.js";
import { softmaxInPlace } from "./softmax.js";

interface Shape {
  readonly labels: number;
  readonly prompts: number;
  readonly groups: number;
  /** How often an answer is 0 or 1, so that half of those are clipped to a likelihood of 1e-15. */
  readonly sure?: number;
  /** This prompt says nothing. */
  readonly silent?: number;
  /** So many labels after each other are the same. */
  readonly repeated?: number;
  /** Nobody belongs to the groups from here on. */
  readonly empty?: number;
}

function problemOf({ labels, prompts, groups, sure = 0, silent, repeated = 1, empty }: Shape) {
  const used = empty ?? groups;
  const membership = new Float64Array(labels * groups);
  const probabilities = new Float64Array(labels * prompts);
  const said = new Float64Array(labels);
  for (let label = 0; label < labels; label++) {
    const random = randomFrom("hard mixtures", Math.floor(label / repeated));
    said[label] = random.integer(2);
    for (let group = 0; group < used; group++)
      membership[label * groups + group] = 6 * random.next();
    softmaxInPlace(membership, label * groups, used);
    for (let prompt = 0; prompt < prompts; prompt++) {
      const first = random.chance(sure) ? random.integer(2) : random.between(0.05, 0.95);
      probabilities[label * prompts + prompt] = prompt === silent ? Number.NaN : first;
    }
  }
  const likelihoods = labelLikelihoods({ labels: said, probabilities, prompts });
  return { likelihoods, membership, groups };
}

const shapes: readonly (Shape & { readonly name: string })[] = [
  { name: "one label", labels: 1, prompts: 5, groups: 3 },
  { name: "one group", labels: 120, prompts: 12, groups: 1 },
  { name: "likelihoods of 1e-15", labels: 200, prompts: 8, groups: 4, sure: 0.6 },
  { name: "nothing but likelihoods of 1 and 1e-15", labels: 100, prompts: 8, groups: 3, sure: 1 },
  { name: "a silent prompt", labels: 40, prompts: 6, groups: 4, silent: 2 },
  { name: "repeated labels", labels: 300, prompts: 7, groups: 3, repeated: 100 },
  { name: "groups nobody belongs to", labels: 60, prompts: 5, groups: 6, empty: 4 },
  { name: "many labels", labels: 1000, prompts: 20, groups: 16 },
];

test.each(shapes)("$name: the gap is certified at every lambda", (shape) => {
  const problem = problemOf(shape);
  for (const lambda of [0.01, 0.1, 1, 100]) {
    const { weights, dualityGap, objectiveValue } = promptWeights(problem, {
      objective: "mixture",
      lambda,
    });
    expect(gapAt(problem, lambda, weights)).toBeLessThanOrEqual(2e-8);
    expect(dualityGap).toBeLessThanOrEqual(1e-8);
    expect(Number.isFinite(objectiveValue)).toBe(true);
    for (let group = 0; group < shape.groups; group++) {
      const own = weights.subarray(group * shape.prompts, (group + 1) * shape.prompts);
      expect(own.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
      if (shape.silent !== undefined) expect(own[shape.silent]).toBe(0);
      if (group >= (shape.empty ?? shape.groups)) {
        expect(Math.max(...own) - Math.min(...own)).toBeLessThan(1e-12);
      }
    }
  }
});

/** sum_z [max_a G_za - sum_a w_za G_za] of the objective's own gradient, as it is written down. */
function gapAt(
  { likelihoods, membership, groups }: ReturnType<typeof problemOf>,
  lambda: number,
  weights: Float64Array,
): number {
  const { labels, prompts, likelihood } = likelihoods;
  const gradient = weights.map((weight) => -lambda * (Math.log(weight) + 1));
  for (let label = 0; label < labels; label++) {
    const term = (place: number) =>
      (membership[label * groups + Math.floor(place / prompts)] ?? 0) *
      (likelihood[label * prompts + (place % prompts)] ?? 0);
    const marginal = weights.reduce((sum, weight, place) => sum + weight * term(place), 0);
    weights.forEach((_, place) => {
      gradient[place] = (gradient[place] ?? 0) + term(place) / marginal;
    });
  }
  let gap = 0;
  for (let group = 0; group < groups; group++) {
    const places = Array.from({ length: prompts }, (_, prompt) => group * prompts + prompt).filter(
      // The logarithm of a smaller one is known to a few digits only.
      (place) => (weights[place] ?? 0) > 1e-300,
    );
    const most = Math.max(...places.map((place) => gradient[place] ?? 0));
    gap += places.reduce((sum, at) => sum - (weights[at] ?? 0) * (gradient[at] ?? 0), most);
  }
  return gap;
}

test("a start at the best of a like problem leads to the same weights, with the same certificate", () => {
  const problem = problemOf({ labels: 200, prompts: 10, groups: 8, sure: 0.1 });
  const whole = mixtureWeights(problem, { lambda: 0.3 }, new Float64Array(80));
  const chosen = Int32Array.from({ length: 190 }, (_, at) => at + 10);
  const without = { ...problem, chosen };
  const [cold, warm] = [undefined, Float64Array.from(chosen, (at) => whole.dual[at] ?? 0)].map(
    (start) => {
      const weights = new Float64Array(80);
      return { ...mixtureWeights(without, { lambda: 0.3, start }, weights), weights };
    },
  );
  expect(warm?.gap).toBeLessThanOrEqual(1e-8);
  expect(warm?.value).toBeCloseTo(cold?.value ?? 0, 7);
  warm?.weights.forEach((weight, at) => {
    expect(weight).toBeCloseTo(cold?.weights[at] ?? 1, 4);
  });
});

test.each([
  { labels: 10_000, lambda: 0.1, most: 1 },
  // Sums are divided by lambda, so that rounding decides earlier: the fit ends, with the best that it saw.
  { labels: 4000, lambda: 0.01, most: 6 },
])("$labels labels at lambda $lambda end where rounding decides", ({ labels, lambda, most }) => {
  const problem = problemOf({ labels, prompts: 5, groups: 3 });
  const found = promptWeights(problem, { objective: "mixture", lambda });
  const least = roundingGap(labels, found.objectiveValue);
  expect(least).toBeLessThan(1e-10 * Math.abs(found.objectiveValue));
  expect(found.dualityGap).toBeLessThanOrEqual(most * least);
  expect(found.dualityGap).toBeGreaterThan(1e-8);
  expect(gapAt(problem, lambda, found.weights)).toBeLessThanOrEqual(2 * most * least);
});

test.each([
  { labels: 60, prompts: 7, sure: 0 },
  { labels: 150, prompts: 5, sure: 0 },
  { labels: 100, prompts: 4, sure: 0.3 },
  { labels: 200, prompts: 5, sure: 0.3 },
])("$labels labels are certified at lambda 0.001, where steps alone lose the way", (given) => {
  const problem = problemOf({ ...given, groups: 1 });
  const lambda = 0.001;
  const { weights, dualityGap } = promptWeights(problem, { objective: "mixture", lambda });
  expect(dualityGap).toBeLessThanOrEqual(1e-8);
  expect(gapAt(problem, lambda, weights)).toBeLessThanOrEqual(2e-8);
});
