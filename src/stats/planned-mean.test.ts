import { expect, test } from "vitest";
import { plannedMean, roundWeights } from "./planned-mean.js";
import { predictionPoweredMean } from "./prediction-powered.js";

const alike = (n: number, weight: number) => ({
  weight: Array.from({ length: n }, () => weight),
  round: Array.from({ length: n }, () => 1),
  stratum: Array.from({ length: n }, () => 0),
});
const human = [1, 0, 1, 1, 0, 1, 1, 0, 1, 1];

test("labels drawn alike give the mean and the interval of labels alone", () => {
  const plain = predictionPoweredMean({ human, metric: human, others: [] });
  const found = plannedMean({ human, metric: human, others: [], ...alike(10, 20) });
  expect(found.value).toBeCloseTo(0.7, 12);
  expect(found.weight).toBe(0);
  // s^2 (1/n - 1/N) / (1 - 1/n) + s^2 / N, with s^2 of divisor n and N = 200 items.
  const error = Math.sqrt(0.21 * ((1 / 10 - 1 / 200) * (10 / 9) + 1 / 200));
  expect(found.error).toBeCloseTo(error, 12);
  expect(found.error).toBeLessThan(plain.error ?? 0);
});

test("a stratum counts by its items, not by its labels", () => {
  const draws = {
    weight: [10, 10, 10, 2, 2, 2, 2, 2, 2],
    round: Array.from({ length: 9 }, () => 1),
    stratum: [0, 0, 0, 1, 1, 1, 1, 1, 1],
  };
  const found = plannedMean({
    human: [1, 1, 0, 0, 1, 0, 0, 1, 0],
    metric: [],
    others: [],
    ...draws,
  });
  // 30 items with a mean of 2/3, 12 with 1/3.
  expect(found.value).toBeCloseTo((30 * (2 / 3) + 12 / 3) / 42, 12);
});

test("scores of items without a label are used as far as they tell answers within strata", () => {
  const metric = human.map((label, at) => label + (at % 3) / 10);
  const others = Array.from({ length: 40 }, (_, at) => (at % 2) + 0.1);
  const found = plannedMean({ human, metric, others, ...alike(10, 5), largestWeight: 9 });
  const uniform = predictionPoweredMean({ human, metric, others, largestWeight: 9 });
  expect(found.weight).toBeGreaterThan(0.5);
  expect(found.value).toBeCloseTo(uniform.value ?? 0, 1);
});

test("rounds are combined by their precision, and earlier labels stand for themselves in later ones", () => {
  const draws = { weight: [4, 4, 2], round: [1, 1, 2], stratum: [0, 0, 0] };
  const { total, drawn, precision } = roundWeights(draws);
  // Precisions: 1 / (8^2 (1/2 - 1/8)) = 1/24 and 1 / (2^2 (1/1 - 1/2)) = 1/2.
  expect(precision).toBeCloseTo(13 / 24, 12);
  for (const [at, own] of [4 / 13, 4 / 13, 24 / 13].entries())
    expect(drawn[at]).toBeCloseTo(own, 12);
  for (const [at, all] of [16 / 13, 16 / 13, 24 / 13].entries())
    expect(total[at]).toBeCloseTo(all, 12);
});

test("a round that asked about all that was left is believed alone", () => {
  const draws = {
    weight: [3, 3, 1, 1, 1, 1],
    round: [1, 1, 2, 2, 2, 2],
    stratum: [0, 0, 0, 0, 0, 0],
  };
  const values = [1, 1, 0, 0, 1, 0];
  const found = plannedMean({ human: values, metric: values, others: [], ...draws });
  expect(found.value).toBeCloseTo(3 / 6, 6);
});

test("a label that was not drawn stands for itself", () => {
  const draws = { weight: [Number.NaN, 3, 3, 3], round: [1, 1, 1, 1], stratum: [0, 0, 0, 0] };
  const found = plannedMean({ human: [1, 0, 1, 0], metric: [], others: [], ...draws });
  expect(found.value).toBeCloseTo((1 + 3) / 10, 12);
});

test("labels that all agree give no interval", () => {
  const all = [1, 1, 1, 1];
  const found = plannedMean({ human: all, metric: all, others: [], ...alike(4, 2) });
  expect(found).toMatchObject({
    value: 1,
    low: null,
    reason: expect.stringContaining("all labels agree"),
  });
});
