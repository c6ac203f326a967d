import fc from "fast-check";
import { expect, test } from "vitest";
import { errorCoverage, errorCoverageArea, maximumCalibrationError } from "./calibration-error.js";
import { cohenKappa } from "./cohen-kappa.js";
import { brierDecomposition, brierScore, negativeLogLikelihood } from "./losses.js";
import { ranked } from "./ranked.js";
import { reliabilityBins } from "./reliability-bins.js";
import {
  averagePrecision,
  f1Score,
  precisionOverRecall,
  rocAuc,
  thresholdCounts,
} from "./threshold-measures.js";

const counts = (right: readonly number[], scores: readonly number[]) =>
  thresholdCounts(right, ranked(scores));

// 40 labels with probabilities and the values that an independent program found for them.
const labels = [
  1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1,
  1, 0, 0, 1, 0, 0, 1,
];
const probabilities = [
  0.56480945, 0.32314363, 0.53663121, 0.63643918, 0.69693237, 0.31232555, 0.71655156, 0.56464427,
  0.47039502, 0.82739012, 0.68425624, 0.37784498, 0.72902082, 0.88620773, 0.71520623, 0.29427012,
  0.84456838, 0.44830218, 0.63497535, 0.69951885, 0.93281473, 0.88794538, 0.23336172, 0.28690482,
  0.60857172, 0.35406821, 0.71354564, 0.4647805, 0.86072022, 0.29884291, 0.32836151, 0.23612293,
  0.52994359, 0.57271975, 0.39741172, 0.11735391, 0.45742215, 0.16816087, 0.14583053, 0.37085501,
];

test("agrees with the oracle", () => {
  const predictions = probabilities.map((probability) => (probability >= 0.5 ? 1 : 0));
  expect(maximumCalibrationError(reliabilityBins(labels, probabilities))).toBeCloseTo(
    0.140564185,
    12,
  );
  const fifteen = reliabilityBins(labels, probabilities, 15);
  expect(maximumCalibrationError(fifteen)).toBeCloseTo(0.470225715, 12);
  expect(negativeLogLikelihood(labels, probabilities)).toBeCloseTo(0.5570726615091769, 12);
  expect(f1Score(labels, predictions)).toBeCloseTo(0.7142857142857143, 12);
  expect(cohenKappa(labels, predictions)).toBeCloseTo(0.3984962406015038, 12);
  expect(rocAuc(counts(labels, probabilities))).toBeCloseTo(0.7669172932330828, 12);
  expect(averagePrecision(counts(labels, probabilities))).toBeCloseTo(0.7863923081852623, 12);
  const points = errorCoverage(labels, probabilities);
  expect(points).toHaveLength(40);
  for (const [coverage, error, threshold] of [
    [0.025, 0, 0.93281473],
    [0.325, 0.15384615384615385, 0.71655156],
    [0.975, 0.3076923076923077, 0.52994359],
  ] as const) {
    const point = points.find((each) => each.threshold === threshold);
    expect(point?.coverage).toBeCloseTo(coverage, 12);
    expect(point?.error).toBeCloseTo(error, 12);
  }
});

test("equal scores are accepted together", () => {
  expect(rocAuc(counts([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]))).toBe(0.875);
  expect(averagePrecision(counts([1, 0], [0.5, 0.5]))).toBe(0.5);
  expect(precisionOverRecall(counts([1, 0, 1], [0.9, 0.8, 0.1])).trapezoids).toBeCloseTo(
    0.5 + (0.5 + 2 / 3) / 4,
    12,
  );
  expect(errorCoverage([1, 1, 0], [0.75, 0.25, 0.75])).toEqual([
    { coverage: 1, error: 2 / 3, threshold: 0.75 },
  ]);
  // The surer answer is right, the other wrong.
  expect(errorCoverageArea(counts([1, 0], [0.9, 0.6]))).toBeCloseTo(0.25, 12);
});

const rows = fc.array(
  fc.record({
    label: fc.constantFrom(0, 1),
    p: fc.integer({ min: 1, max: 20 }).map((x) => x / 20),
  }),
  { minLength: 2, maxLength: 40 },
);

test("ranks matter alone for the areas, and the area of the turned question is the rest", () => {
  fc.assert(
    fc.property(rows, (all) => {
      const right = all.map(({ label }) => label);
      const p = all.map((row) => row.p);
      const stretched = p.map((value) => Math.exp(3 * value));
      const area = rocAuc(counts(right, p));
      if (Number.isNaN(area)) expect(new Set(right).size).toBe(1);
      else {
        expect(rocAuc(counts(right, stretched))).toBe(area);
        expect(
          rocAuc(
            counts(
              right.map((label) => 1 - label),
              p,
            ),
          ),
        ).toBeCloseTo(1 - area, 12);
        expect(averagePrecision(counts(right, stretched))).toBe(averagePrecision(counts(right, p)));
        expect(averagePrecision(counts(right, p))).toBeGreaterThan(0);
        expect(averagePrecision(counts(right, p))).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("the parts of a Brier score are not negative and add up", () => {
  fc.assert(
    fc.property(rows, (all) => {
      const right = all.map(({ label }) => label);
      const p = all.map((row) => row.p);
      const parts = brierDecomposition(right, p);
      const { reliability, resolution, uncertainty, withinBins } = parts;
      expect(reliability - resolution + uncertainty + withinBins).toBeCloseTo(
        brierScore(right, p),
        12,
      );
      for (const part of [reliability, resolution, uncertainty])
        expect(part).toBeGreaterThanOrEqual(0);
      // With a bin for each probability nothing is left over.
      expect(brierDecomposition(right, p, { count: 20 }).withinBins).toBeCloseTo(0, 12);
    }),
  );
});

test("certain mistakes cost much, not all; what is undefined is NaN", () => {
  expect(negativeLogLikelihood([1], [0])).toBeCloseTo(34.538776, 5);
  expect(negativeLogLikelihood([0], [1])).toBeCloseTo(34.538776, 1);
  expect(negativeLogLikelihood([1, 0], [1, 0])).toBeCloseTo(0, 12);
  expect(() => negativeLogLikelihood([1], [])).toThrow("Expected 1 probabilities but received 0");
  expect(() => counts([1], [])).toThrow("Expected 1 scores but received 0");
  expect(rocAuc(counts([1, 1], [0.2, 0.3]))).toBeNaN();
  expect(averagePrecision(counts([0], [0.3]))).toBeNaN();
  expect(precisionOverRecall(counts([0], [0.3])).trapezoids).toBeNaN();
  expect(f1Score([0, 0], [0, 0])).toBeNaN();
  expect(maximumCalibrationError(reliabilityBins([], []))).toBeNaN();
  expect(errorCoverageArea(counts([], []))).toBeNaN();
});
