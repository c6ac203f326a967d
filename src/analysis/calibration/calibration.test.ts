import fc from "fast-check";
import { expect, test } from "vitest";
import { binnings } from "../../stats/reliability-bins.js";
import { calibration } from "./calibration.js";
import { calibrationMeasured, calibrationStatistics } from "./calibration-measures.js";

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
  expect(found.warnings).toEqual([
    expect.stringContaining("1 of 4 rows has a probability of 0.5"),
    "intervals from 4 rows are too narrow",
    "expected and maximum calibration error of 4 rows and their intervals are biased upwards by chance, BCa intervals less so",
  ]);
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

test("a weight of two is a row twice, in every statistic", () => {
  const answer = fc.record({
    label: fc.constantFrom(0, 1),
    probability: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    times: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(answer, { minLength: 2, maxLength: 25 }),
      fc.constantFrom(...binnings),
      (rows, binning) => {
        const measure = (some: readonly { label: number; probability: number }[]) =>
          calibrationMeasured(
            Float64Array.from(some, ({ label }) => label),
            Float64Array.from(some, ({ probability }) => probability),
            { binning, count: 10 },
          );
        const weights = Float64Array.from(rows, ({ times }) => times);
        const repeated = rows.flatMap((each) => Array.from({ length: each.times }, () => each));
        const expected = measure(repeated)();
        measure(rows)(weights).forEach((value, at) => {
          const other = expected[at] ?? Number.NaN;
          if (Number.isNaN(other)) expect(value, calibrationStatistics[at]).toBeNaN();
          else expect(value, calibrationStatistics[at]).toBeCloseTo(other, 10);
        });
      },
    ),
  );
});

test("class-wise errors and bins of equal mass are named apart", () => {
  const rows = rowsOf([
    [1, 0.9],
    [0, 0.85],
    [0, 0.2],
    [1, 0.7],
  ]);
  const found = calibration(rows, { binning: "equal-mass", binCount: 2, ...quick });
  expect(found.binning).toBe("equal-mass");
  expect(found.bins.map(({ low, high, n }) => [low, high, n])).toEqual([
    [0, 0.8, 2],
    [0.8, 0.9, 2],
  ]);
  // Right with 0.7 and 0.8, then half right with 0.85 and 0.9.
  expect(found.ece).toBeCloseTo((0.25 + 0.375) / 2, 12);
  // Label 1: 0.2 and 0.7 came true once, 0.85 and 0.9 once; of label 0 the same from the other side.
  expect(found.classwiseEce).toBeCloseTo((0.05 + 0.375) / 2, 12);
  expect(found.classwiseMce).toBeCloseTo(0.375, 12);
  expect(calibration(rows, quick).binning).toBe("equal-width");
});

test("BCa corrects the draws where it can and says why where not", () => {
  const rows = rowsOf(
    Array.from({ length: 80 }, (_, at) => [at % 7 < 4 ? 1 : 0, ((at * 37) % 100) / 100]),
  );
  const drawn = calibration(rows, { resamples: 500 });
  const corrected = calibration(rows, { resamples: 500, interval: "bca" });
  expect(corrected.intervals.text).toContain("95 % BCa bootstrap: 500 resamples of 80 rows");
  for (const name of ["accuracy", "rocAuc", "brier", "nll"] as const) {
    const { value, low, high } = corrected.intervalsOf[name];
    expect(value).toBe(drawn[name]);
    expect(low).toBeLessThan(value ?? Number.NaN);
    expect(high).toBeGreaterThan(value ?? Number.NaN);
  }
  // Resampled errors of calibration are larger: BCa brings the interval down.
  expect(corrected.intervalsOf.ece.low).toBeLessThan(drawn.intervalsOf.ece.low ?? -1);
  const perfect = calibration(
    rowsOf([
      [1, 0.9],
      [0, 0.2],
      [1, 0.8],
    ]),
    { ...quick, interval: "bca" },
  );
  expect(perfect.intervalsOf.accuracy).toMatchObject({
    value: 1,
    low: null,
    high: null,
    reason: "no interval: leaving any one cluster out changes nothing",
    oneSided: { low: expect.closeTo(0.05 ** (1 / 3), 12), high: 1 },
  });
});

test("rows of one prompt are drawn together: more wordings of it tell no more", () => {
  const once = Array.from({ length: 60 }, (_, at) => ({
    id: `${at}`,
    prompt: `prompt ${String(at).padStart(2, "0")}`,
    label: at % 7 < 4 ? 1 : 0,
    probability: ((at * 37) % 100) / 100,
  }));
  const worded = once.flatMap((row) =>
    Array.from({ length: 8 }, (_, wording) => ({ ...row, id: `${row.id} ${wording}` })),
  );
  const expected = calibration(once, quick);
  const found = calibration(worded, quick);
  expect(found).toMatchObject({ n: 480, intervals: { clusters: 60, clusteredBy: "prompt" } });
  expect(found.intervals.text).toContain("100 resamples of 60 prompts");
  expect(found.warnings).toContainEqual(
    expect.stringContaining(
      "expected and maximum calibration error of 60 prompts and their intervals are biased",
    ),
  );
  for (const name of calibrationStatistics) {
    const { low, high } = expected.intervalsOf[name];
    expect(found.intervalsOf[name].low, name).toBeCloseTo(low ?? Number.NaN, 10);
    expect(found.intervalsOf[name].high, name).toBeCloseTo(high ?? Number.NaN, 10);
  }
  expect(calibration([...worded].reverse(), quick)).toEqual(found);
  const one = calibration(worded.slice(0, 8), quick);
  expect(one.intervalsOf.brier).toMatchObject({
    low: null,
    high: null,
    reason: "no interval from one prompt",
  });
});
