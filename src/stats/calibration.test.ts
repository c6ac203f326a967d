import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedCalibrationError, maximumCalibrationError } from "./calibration-error.js";
import { brierScore } from "./losses.js";
import { binnings, claimBinner, classWise, reliabilityBins, topLabel } from "./reliability-bins.js";

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

test("bins of equal mass by hand: ties stay together where their middle lies", () => {
  const claims = topLabel([1, 0, 1, 1, 1, 0], [0.6, 0.7, 0.7, 0.7, 0.9, 0.8]);
  const bins = claimBinner(claims, { binning: "equal-mass", count: 3 })();
  // Places 0 | 1 2 3 | 4 | 5: the three of 0.7 have their middle at 2.5 of 6, in the second third.
  expect(bins.map(({ low, high, n }) => [low, high, n])).toEqual([
    [0, 0.6, 1],
    [0.6, 0.7, 3],
    [0.7, 0.9, 2],
  ]);
  expect(bins[1]?.accuracy).toBeCloseTo(2 / 3, 12);
  // |1 - .6| / 6 + 3 |2/3 - .7| / 6 + 2 |1/2 - .85| / 6
  expect(expectedCalibrationError(bins)).toBeCloseTo((0.4 + 0.1 + 0.7) / 6, 12);
  const without = claimBinner(topLabel([1], [0.7]), { binning: "equal-mass", count: 3 })();
  expect(without.map(({ low, high, n }) => [low, high, n])).toEqual([
    [0, 0, 0],
    [0, 0.7, 1],
    [0.7, 0.7, 0],
  ]);
});

test("what is left to 1 is the decimal that it is: 1 - 0.7 lies in the bin up to 0.3", () => {
  for (const [probability, bin] of [
    [0.7, 2],
    [0.3, 6],
    [0.9, 0],
    [0.8, 1],
    [0.4, 5],
    [0.1, 8],
  ] as const) {
    const [zero] = classWise([1], [probability]);
    const filled = claimBinner(zero, {})().findIndex(({ n }) => n > 0);
    expect(filled, `1 - ${probability}`).toBe(bin);
  }
});

test("class-wise errors by hand: each label has bins of its own probability", () => {
  const [zero, one] = classWise([1, 0, 0], [0.9, 0.85, 0.2]).map((claims) =>
    claimBinner(claims, { count: 2 })(),
  );
  // Of label 1: 0.2 came true never; 0.9 and 0.85 once.
  expect(expectedCalibrationError(one ?? [])).toBeCloseTo((0.2 + 2 * (0.875 - 0.5)) / 3, 12);
  expect(maximumCalibrationError(one ?? [])).toBeCloseTo(0.375, 12);
  expect(expectedCalibrationError(zero ?? [])).toBeCloseTo((0.2 + 2 * (0.5 - 0.125)) / 3, 12);
  // The likelier answer hides nothing here: 0.2 is a 0 said with 0.8.
  expect(topLabel([1, 0, 0], [0.9, 0.85, 0.2]).outcomes).toEqual(Uint8Array.of(1, 0, 1));
  expect(() => classWise([1], [2])).toThrow(RangeError);
});

test("a weight counts a row as often as if it stood there so often", () => {
  const row = fc.record({
    label: fc.constantFrom(0, 1),
    p: fc.integer({ min: 0, max: 20 }).map((x) => x / 20),
    times: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...binnings),
      fc.integer({ min: 1, max: 12 }),
      (rows, binning, count) => {
        const repeated = rows.flatMap((each) => Array.from({ length: each.times }, () => each));
        const binned = (some: typeof rows, weights?: number[]) =>
          claimBinner(
            topLabel(
              some.map(({ label }) => label),
              some.map(({ p }) => p),
            ),
            { binning, count },
          )(weights);
        const found = binned(
          rows,
          rows.map(({ times }) => times),
        );
        const expected = binned(repeated);
        expect(found.map(({ low, high, n }) => [low, high, n])).toEqual(
          expected.map(({ low, high, n }) => [low, high, n]),
        );
        found.forEach(({ low, high, n, confidence }, at) => {
          if (confidence === null) expect(n).toBe(0);
          else {
            expect(confidence).toBeCloseTo(expected[at]?.confidence ?? Number.NaN, 12);
            expect(confidence).toBeGreaterThanOrEqual(low - 1e-12);
            expect(confidence).toBeLessThanOrEqual(high + 1e-12);
          }
        });
        expect(found.reduce((sum, { n }) => sum + n, 0)).toBe(repeated.length);
      },
    ),
  );
});
