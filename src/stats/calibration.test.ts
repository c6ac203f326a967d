import fc from "fast-check";
import { expect, test } from "vitest";
import { brierScore } from "./brier-score.js";
import { expectedCalibrationError } from "./expected-calibration-error.js";
import { reliabilityBins } from "./reliability-bins.js";

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
  expect(brierScore(labels, probabilities)).toBeCloseTo(0.19163767668383747, 12);
  const bins = reliabilityBins(labels, probabilities);
  expect(expectedCalibrationError(bins)).toBeCloseTo(0.1071338795, 12);
  expect(expectedCalibrationError(reliabilityBins(labels, probabilities, 15))).toBeCloseTo(
    0.13060811199999994,
    12,
  );
  const filled = bins.flatMap((bin, index) => (bin.n === 0 ? [] : [{ index, ...bin }]));
  expect(filled.map(({ index, n }) => [index, n])).toEqual([
    [5, 9],
    [6, 13],
    [7, 9],
    [8, 8],
    [9, 1],
  ]);
  const [fifth] = filled;
  expect(fifth?.accuracy).toBeCloseTo(0.6666666666666666, 12);
  expect(fifth?.confidence).toBeCloseTo(0.5475387133333333, 12);
});

test("a confidence on an edge belongs to the bin below it", () => {
  const filledBy = (probability: number) =>
    reliabilityBins([1], [probability]).findIndex((bin) => bin.n === 1);
  expect([0.5, 0.6, 0.7, 0.8, 0.9, 1].map(filledBy)).toEqual([4, 5, 6, 7, 8, 9]);
  // Said for the other answer, the confidence is the same.
  expect([0.4, 0.3, 0.2, 0.1, 0].map(filledBy)).toEqual([5, 6, 7, 8, 9]);
  expect(filledBy(0.6000001)).toBe(6);
});

test("half is a yes", () => {
  expect(reliabilityBins([1], [0.5])[4]?.accuracy).toBe(1);
  expect(reliabilityBins([0], [0.5])[4]?.accuracy).toBe(0);
});

test("every answer lies in the one bin that holds its confidence", () => {
  const answer = fc.record({
    label: fc.constantFrom(0, 1),
    p: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(answer, { minLength: 1 }),
      fc.integer({ min: 1, max: 30 }),
      (all, count) => {
        const bins = reliabilityBins(
          all.map(({ label }) => label),
          all.map(({ p }) => p),
          count,
        );
        expect(bins).toHaveLength(count);
        for (const { low, high, n } of bins) {
          const inside = all.map(({ p }) => Math.max(p, 1 - p)).filter((c) => c > low && c <= high);
          expect(n).toBe(inside.length);
        }
        const error = expectedCalibrationError(bins);
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test("nothing has no error, and what is no probability is refused", () => {
  expect(expectedCalibrationError(reliabilityBins([], []))).toBeNaN();
  expect(brierScore([], [])).toBeNaN();
  expect(() => reliabilityBins([1], [1.2])).toThrow("but received 1.2");
  expect(() => reliabilityBins([1], [Number.NaN])).toThrow(RangeError);
  expect(() => reliabilityBins([1, 0], [1])).toThrow("Expected 2 probabilities but received 1");
  expect(() => brierScore([1, 0], [1])).toThrow(RangeError);
});
