import fc from "fast-check";
import { expect, test } from "vitest";
import { calibration, calibrationStatistics } from "./calibration.js";

const rowsOf = (
  answers: readonly (readonly [label: number | null, probability: number | null])[],
) => answers.map(([label, probability], index) => ({ id: `${index}`, label, probability }));
const quick = { resamples: 100 };

test("counts what is unscored and what is a tie, and leaves neither out in silence", () => {
  const found = calibration(
    rowsOf([
      [1, 0.9],
      [0, 0.2],
      [0, 0.5],
      [1, 0.4],
      [null, 0.4],
      [1, null],
    ]),
    quick,
  );
  expect(found).toMatchObject({
    n: 4,
    unscored: 2,
    ties: 1,
    accuracy: 0.5,
    accuracyHalfCredit: 0.625,
  });
  expect(found.f1).toBe(0.5);
  expect(found.brier).toBeCloseTo((0.01 + 0.04 + 0.25 + 0.36) / 4, 12);
  expect(found.overconfidence).toBeCloseTo((0.9 + 0.8 + 0.5 + 0.6) / 4 - 0.5, 12);
  expect(found.bins).toHaveLength(10);
  expect(found.coverage.map(({ threshold }) => threshold)).toEqual([0.9, 0.8, 0.6, 0.5]);
  expect(found.warnings).toHaveLength(1);
  expect(found.intervals.text).toContain("100 resamples of 4 rows");
});

test("what is undefined is null with a reason", () => {
  const none = calibration(rowsOf([[1, null]]), quick);
  const one = calibration(rowsOf([[0, 0.1]]), quick);
  for (const name of calibrationStatistics) {
    expect(none[name]).toBeNull();
    expect(none.intervalsOf[name].reason).toBe("no row has a label and a probability");
    expect(one.intervalsOf[name].reason).toBeDefined();
  }
  expect(one).toMatchObject({
    accuracy: 1,
    f1: null,
    kappa: null,
    rocAuc: null,
    averagePrecision: null,
  });
  expect(one.intervalsOf.rocAuc.reason).toBe("all labels are the same");
  expect(one.intervalsOf.accuracy).toMatchObject({ low: null, high: null });
});

test("intervals hold the value of what is no maximum, and the order of rows changes nothing", () => {
  const rows = rowsOf(
    Array.from({ length: 60 }, (_, at) => [at % 7 < 4 ? 1 : 0, ((at * 37) % 100) / 100]),
  );
  const expected = calibration(rows, quick);
  for (const name of [
    "accuracy",
    "f1",
    "kappa",
    "rocAuc",
    "averagePrecision",
    "brier",
    "nll",
  ] as const) {
    const { value, low, high } = expected.intervalsOf[name];
    expect(low).toBeLessThan(value ?? Number.NaN);
    expect(high).toBeGreaterThan(value ?? Number.NaN);
  }
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
      expect(calibration(shuffled, quick)).toEqual(expected);
    }),
    { numRuns: 3 },
  );
});
