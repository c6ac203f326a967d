import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { brierScore } from "../../stats/losses.js";
import { ratingCalibration } from "./rating-calibration.js";

const value = (rows: Parameters<typeof ratingCalibration>[0]) => {
  const { intervalsOf } = ratingCalibration(rows);
  return Object.fromEntries(Object.entries(intervalsOf).map(([name, one]) => [name, one.value]));
};

test("measures are those worked out by hand", () => {
  const rows = [
    { label: 3, probabilities: [0, 0.2, 0.8], interval: [2, 3] },
    { label: 3, probabilities: [0.6, 0.4, 0], interval: [1, 2] },
  ] as const;
  expect(value(rows)).toEqual({
    accuracy: 0.5,
    withinOne: 0.5,
    // 2.8 and 1.4 against 3.
    meanAbsoluteError: expect.closeTo((0.2 + 1.6) / 2, 12),
    // 0.8 is right, 0.6 is wrong.
    ece: expect.closeTo((0.2 + 0.6) / 2, 12),
    nll: expect.closeTo((-Math.log(0.8) - Math.log(1e-15)) / 2, 9),
    // (0 + 0.04) / 2 and (0.36 + 1) / 2.
    rps: expect.closeTo((0.02 + 0.68) / 2, 12),
    intervalCoverage: 0.5,
  });
});

test("the calibration error is of what counts as right: people's rating, or one no further off", () => {
  const rows = [
    { label: 3, probabilities: [0.1, 0.5, 0.3, 0.1], interval: [1, 4] },
    { label: 4, probabilities: [0.6, 0.2, 0.1, 0.1], interval: [1, 4] },
  ] as const;
  const of = (within: number) => ratingCalibration(rows, { within }).intervalsOf;
  // 0.5 and 0.6, both another rating.
  expect(of(0).ece.value).toBeCloseTo((0.5 + 0.6) / 2, 12);
  // 0.9 that it is 1 to 3, which it is; 0.8 that it is 1 or 2, which it is not.
  expect(of(1).ece.value).toBeCloseTo((0.1 + 0.8) / 2, 12);
  expect(of(1).accuracy).toEqual(of(0).accuracy);
});

test("of two ratings the ranked probability score is the Brier score", () => {
  const random = randomFrom("two ratings");
  const rows = Array.from({ length: 50 }, () => {
    const p = random.next();
    return {
      label: 1 + random.integer(2),
      probabilities: [1 - p, p],
      interval: [1, 2] as [number, number],
    };
  });
  const brier = brierScore(
    rows.map(({ label }) => label - 1),
    rows.map(({ probabilities }) => probabilities[1] ?? 0),
  );
  expect(value(rows).rps).toBeCloseTo(brier, 12);
});

test("has intervals, of one row none, and of none no value", () => {
  const row = { label: 1, probabilities: [0.9, 0.1], interval: [1, 1] } as const;
  const other = { label: 2, probabilities: [0.9, 0.1], interval: [1, 1] } as const;
  const { accuracy } = ratingCalibration([row, row, other, other]).intervalsOf;
  expect(accuracy).toMatchObject({ value: 0.5, low: 0, high: 1 });
  expect(ratingCalibration([row]).intervalsOf.accuracy).toMatchObject({ value: 1, low: null });
  expect(ratingCalibration([]).intervalsOf.accuracy.value).toBeNull();
});
