import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { chooseWeights } from "./choose-weights.js";
import { labelLikelihoods } from "./label-likelihoods.js";
import { oneGroup, promptWeights } from "./prompt-weights.js";
import { objectives } from "./weight-problem.js";

/** Two kinds of image; each prompt is good at one of them. */
function twoKinds(labels: number) {
  const random = randomFrom("two kinds", labels);
  const kinds = Array.from({ length: labels }, (_, at) => at % 2);
  const said = kinds.map(() => random.integer(2));
  const probabilities = Float64Array.from(
    kinds.flatMap((kind, at) =>
      [0, 1].map((prompt) => {
        const likely = prompt === kind ? random.between(0.75, 0.95) : random.between(0.2, 0.8);
        return said[at] === 1 ? likely : 1 - likely;
      }),
    ),
  );
  const likelihoods = labelLikelihoods({ labels: said, probabilities, prompts: 2 });
  const membership = Float64Array.from(
    kinds.flatMap((kind) => (kind === 0 ? [0.99, 0.01] : [0.01, 0.99])),
  );
  const one = { clusters: 1, temperature: null, membership: oneGroup(likelihoods).membership };
  return { likelihoods, groupings: [one, { clusters: 2, temperature: 0.1, membership }] };
}

test("groups are chosen where prompts differ by kind of image", () => {
  const found = chooseWeights(twoKinds(30));
  expect(found.chosen.clusters).toBe(2);
  expect(found.folds).toBe(30);
  expect(found.candidates).toHaveLength(2 * 4 * 4);
  const least = Math.min(...found.candidates.map(({ leaveOneOutNll }) => leaveOneOutNll));
  expect(found.chosen.leaveOneOutNll).toBe(least);
});

test("what is left out has no part in what foresees it", () => {
  const { likelihoods, groupings } = twoKinds(6);
  const [, grouping] = groupings;
  if (grouping === undefined) throw new Error("Expected two groupings");
  for (const objective of objectives) {
    const { chosen } = chooseWeights({
      likelihoods,
      groupings: [grouping],
      objectives: [objective],
      lambdas: [1],
    });
    let sum = 0;
    for (let left = 0; left < 6; left++) {
      const kept = Int32Array.from([0, 1, 2, 3, 4, 5].filter((label) => label !== left));
      const { weights } = promptWeights(
        { likelihoods, membership: grouping.membership, groups: 2, chosen: kept },
        { objective },
      );
      const at = (group: number, prompt: number) =>
        (grouping.membership[left * 2 + group] ?? 0) *
        (weights[group * 2 + prompt] ?? 0) *
        (likelihoods.likelihood[left * 2 + prompt] ?? 0);
      sum -= Math.log(at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1));
    }
    expect(chosen.leaveOneOutNll).toBeCloseTo(sum / 6, objective === "mixture" ? 4 : 12);
  }
});

test("without labels the first candidate stands, of more than 50 parts are left out", () => {
  const nothing = twoKinds(0);
  const { chosen, folds } = chooseWeights(nothing);
  expect(chosen).toMatchObject({ objective: "global-entropy", lambda: 0.1, clusters: 1 });
  expect({ folds, nll: chosen.leaveOneOutNll }).toEqual({ folds: 0, nll: Number.NaN });
  const many = chooseWeights({ ...twoKinds(60), objectives: ["global-entropy"], lambdas: [1] });
  expect(many.folds).toBe(20);
  expect(() => chooseWeights({ ...nothing, groupings: [] })).toThrow(RangeError);
});
