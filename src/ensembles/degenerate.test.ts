import { describe, expect, test } from "vitest";
import { labelLikelihoods } from "./label-likelihoods.js";
import { bestPrompt, ensemblePrediction, oneGroup, promptWeights } from "./prompt-weights.js";
import { objectives } from "./weight-problem.js";

const none = Number.NaN;
const likelihoodsOf = (labels: readonly number[], answers: readonly (readonly number[])[]) =>
  labelLikelihoods({
    labels,
    probabilities: Float64Array.from(answers.flat()),
    prompts: answers[0]?.length ?? 3,
  });

describe.each(objectives)("%s", (objective) => {
  const weigh = (labels: readonly number[], answers: readonly (readonly number[])[]) =>
    promptWeights(oneGroup(likelihoodsOf(labels, answers)), { objective });

  test("without labels weights are uniform", () => {
    const { weights } = weigh([], []);
    expect([...weights]).toEqual([1 / 3, 1 / 3, 1 / 3].map((share) => expect.closeTo(share, 12)));
  });

  test("one prompt has all the weight", () => {
    expect([...weigh([1, 0], [[0.2], [0.9]]).weights]).toEqual([1]);
  });

  test("a prompt that never answers has none; the others share it", () => {
    const { weights, dualityGap } = weigh(
      [1, 1],
      [
        [0.6, none, 0.6],
        [0.7, none, 0.7],
      ],
    );
    expect([...weights]).toEqual([expect.closeTo(0.5, 9), 0, expect.closeTo(0.5, 9)]);
    expect(dualityGap).toBeLessThanOrEqual(1e-8);
  });

  test("silence on one pair is neither rewarded nor punished: it counts as the others' mean", () => {
    const silent = weigh(
      [1, 1, 0],
      [
        [0.9, none, 0.5],
        [0.6, 0.8, 0.7],
        [0.2, 0.3, 0.6],
      ],
    ).weights;
    const filled = weigh(
      [1, 1, 0],
      [
        [0.9, 0.7, 0.5],
        [0.6, 0.8, 0.7],
        [0.2, 0.3, 0.6],
      ],
    ).weights;
    filled.forEach((weight, prompt) => {
      expect(silent[prompt]).toBeCloseTo(weight, 9);
    });
  });

  test("answers of 0 and 1 leave everything finite", () => {
    const found = weigh(
      [1, 0, 1],
      [
        [0, 1, 0.5],
        [1, 0, 0.5],
        [0, 1, 0.5],
      ],
    );
    expect([...found.weights].every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(found.objectiveValue)).toBe(true);
    expect(found.weights[1]).toBeGreaterThan(found.weights[0] ?? 1);
    expect(found.dualityGap).toBeLessThanOrEqual(1e-8);
  });

  test("a label that every prompt rules out decides nothing", () => {
    const without = weigh([1], [[0.9, 0.4]]).weights;
    const withIt = weigh(
      [1, 1],
      [
        [0.9, 0.4],
        [0, 0],
      ],
    ).weights;
    // Per sample and balanced, labels count, so that one more may soften; the order stays.
    expect(withIt[0]).toBeGreaterThan(withIt[1] ?? 1);
    if (objective === "global-entropy" || objective === "mixture") {
      expect(withIt[0]).toBeCloseTo(without[0] ?? 0, 6);
    }
  });

  test("all labels equal: who says so most surely weighs most", () => {
    const { weights } = weigh(
      [1, 1],
      [
        [0.9, 0.6],
        [0.8, 0.6],
      ],
    );
    expect(weights[0]).toBeGreaterThan(weights[1] ?? 1);
  });

  test("a group that no label belongs to is uniform", () => {
    const likelihoods = likelihoodsOf(
      [1, 0],
      [
        [0.9, 0.4],
        [0.2, 0.5],
      ],
    );
    const membership = Float64Array.of(1, 0, 1, 0);
    const { weights } = promptWeights({ likelihoods, membership, groups: 2 }, { objective });
    expect([weights[2], weights[3]]).toEqual([0.5, 0.5].map((share) => expect.closeTo(share, 9)));
    expect(weights[0]).toBeGreaterThan(0.5);
  });
});

test("what is clipped, unanswered and left out is counted", () => {
  const found = likelihoodsOf(
    [1, 0, 1],
    [
      [0, none, 0.5],
      [none, none, none],
      [1, none, 1e-20],
    ],
  );
  expect(found).toMatchObject({ labels: 2, clipped: 2, unanswered: 2 });
  expect([...found.rows]).toEqual([0, 2]);
  expect([...found.silent]).toEqual([0, 1, 0]);
  expect(Math.min(...found.likelihood)).toBe(1e-15);
});

test("wrong sizes and lambdas are refused", () => {
  const likelihoods = likelihoodsOf([1], [[0.9, 0.4]]);
  const problem = { likelihoods, membership: Float64Array.of(1), groups: 1 };
  expect(() => promptWeights(problem, { objective: "mixture", lambda: 0 })).toThrow(RangeError);
  expect(() => promptWeights({ ...problem, groups: 2 }, { objective: "global-entropy" })).toThrow(
    "1 x 2 memberships",
  );
  expect(() =>
    labelLikelihoods({ labels: [1, 0], probabilities: Float64Array.of(1), prompts: 1 }),
  ).toThrow("2 x 1 answers");
});

test("the best prompt is right most often, of equal ones the likelier, of those the first", () => {
  const best = (labels: readonly number[], answers: readonly (readonly number[])[]) =>
    bestPrompt(likelihoodsOf(labels, answers));
  expect(
    best(
      [1, 0],
      [
        [0.4, 0.6, 0.9],
        [0.4, 0.3, 0.8],
      ],
    ),
  ).toBe(1);
  expect(
    best(
      [1, 1],
      [
        [0.6, 0.9],
        [0.6, 0.9],
      ],
    ),
  ).toBe(1);
  expect(best([1], [[0.6, 0.6]])).toBe(0);
  // 1 is said at 0.5, so that it is right of one label in two.
  expect(
    best(
      [1, 0],
      [
        [0.5, 0.6],
        [0.5, 0.4],
      ],
    ),
  ).toBe(1);
  expect(best([1], [[none, 0.2]])).toBe(1);
  expect(best([], [])).toBe(0);
});

test("where prompts give no answer the others share their weight", () => {
  const weights = Float64Array.of(0.5, 0.3, 0.2);
  const of = (answers: readonly number[], membership = [1], all = weights) =>
    ensemblePrediction({
      probabilities: Float64Array.from(answers),
      prompts: 3,
      membership: Float64Array.from(membership),
      groups: membership.length,
      weights: all,
    })[0];
  expect(of([0.9, none, 0.2])).toBeCloseTo((0.5 * 0.9 + 0.2 * 0.2) / 0.7, 12);
  expect(of([none, none, none])).toBeNaN();
  // Nobody who has weight answered: no guess is made.
  expect(of([none, 0.4, 0.6], [1], Float64Array.of(1, 0, 0))).toBeNaN();
  const two = Float64Array.of(1, 0, 0, 0, 1, 0);
  expect(of([0.9, 0.1, 0.5], [0.25, 0.75], two)).toBeCloseTo(0.25 * 0.9 + 0.75 * 0.1, 12);
});
