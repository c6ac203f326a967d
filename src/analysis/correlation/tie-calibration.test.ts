import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { influenceError } from "../../stats/influence-error.js";
import { columnsOf } from "./correlation-row.js";
import { tieAccuracy, tieCalibrations, tieEpsilon } from "./tie-calibration.js";

/** Whole ratings of 40 prompts' rows, and a continuous score that never ties. */
const sample = (rows = 160) => {
  const random = randomFrom(3, "tie calibration test");
  return Array.from({ length: rows }, (_, at) => {
    const human = random.integer(4);
    const scores = [human + random.between(-0.3, 0.3), at % 9 === 0 ? null : random.next()];
    return { id: `${at}`, prompt: `prompt ${at % 40}`, human, scores };
  });
};
const table = (rows: ReturnType<typeof sample>) =>
  columnsOf({ human: "r", metrics: ["m", "noise"], rows }).columns;

test("a metric that never ties gets people's ties wrong until epsilon mends it", () => {
  const [good, noise] = tieCalibrations(table(sample()));
  // A quarter of the pairs are ties of people's, and within a rating scores differ by up to 0.6.
  expect(good?.accuracy.value).toBeLessThan(0.8);
  expect(good?.calibrated.value).toBeGreaterThan(0.97);
  expect(good?.heldOut).toBeGreaterThan(0.97);
  expect(good?.epsilon).toBeGreaterThan(0.3);
  expect(good?.epsilon).toBeLessThan(0.6);
  expect(good?.accuracy.low).toBeLessThan(good?.accuracy.value ?? 0);
  expect(good?.accuracy.high).toBeGreaterThan(good?.accuracy.value ?? 9);
  expect(noise?.n).toBe(142);
  expect(noise?.calibrated.value).toBeGreaterThanOrEqual(noise?.accuracy.value ?? 9);
});

test("the order of rows and metrics changes nothing", () => {
  const rows = sample(60);
  const one = tieCalibrations(table(rows));
  expect(tieCalibrations(table([...rows].reverse())).map(rounded)).toEqual(one.map(rounded));
});
const rounded = (of: object) =>
  JSON.stringify(of, (_, value) => (typeof value === "number" ? value.toFixed(10) : value));

test("too few rows, too many, and one prompt say so", () => {
  const [few] = tieCalibrations(table(sample(1)));
  expect(few).toMatchObject({ n: 1, epsilon: null, heldOut: null });
  expect(few?.calibrated.reason).toBe("no two rows have a score and a rating");
  const [many] = tieCalibrations(table(sample(5001)));
  expect(many?.accuracy).toMatchObject({ value: null });
  expect(many?.accuracy.reason).toBe("more than 5,000 rows make too many pairs");
  const [together] = tieCalibrations(table(sample(20).map((row) => ({ ...row, prompt: "p" }))));
  expect(together?.accuracy).toMatchObject({ low: null, reason: "no interval from one prompt" });
  expect(together?.heldOut).toBeNull();
});

describe("tie thresholds", () => {
  test("by hand", () => {
    // People tie the first two; the metric tells them apart by 0.25 and puts the third above both.
    const [scores, ratings] = [
      [0.25, 0.5, 2],
      [1, 1, 2],
    ];
    expect(tieAccuracy(scores, ratings, 0).accuracy).toBeCloseTo(2 / 3, 12);
    expect(tieEpsilon(scores, ratings)).toBe(0.25);
    expect(tieAccuracy(scores, ratings, 0.25).accuracy).toBe(1);
    expect(tieAccuracy(scores, ratings, 1.5).accuracy).toBeCloseTo(2 / 3, 12);
    // What ties everything is right where people do, and only there.
    expect(tieAccuracy(scores, ratings, 9).accuracy).toBeCloseTo(1 / 3, 12);
    // The tie is not worth it: the pair in order lies nearer.
    expect(tieEpsilon([1, 2, 2.5], [1, 1, 2])).toBe(0);
    // An order turned round stays wrong until it is a tie, which is wrong as well.
    expect(tieAccuracy([2, 1], [1, 2], 0).accuracy).toBe(0);
    expect(tieAccuracy([2, 1], [1, 2], 1).accuracy).toBe(0);
  });

  test("nothing to compare is NaN, and needs no epsilon", () => {
    for (const some of [[], [1]]) {
      expect(tieAccuracy(some, some, 0).accuracy).toBeNaN();
      expect(tieEpsilon(some, some)).toBe(0);
    }
  });

  const table = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 3 })),
    {
      minLength: 2,
      maxLength: 14,
    },
  );

  test("no other difference of scores makes a better epsilon, nor an equal one a smaller", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const scores = rows.map(([score]) => score / 4);
        const ratings = rows.map(([, rating]) => rating);
        const candidates = [0, ...scores.flatMap((a) => scores.map((b) => Math.abs(a - b)))];
        const accuracyAt = (epsilon: number) => tieAccuracy(scores, ratings, epsilon).accuracy;
        const best = Math.max(...candidates.map(accuracyAt));
        const first = Math.min(...candidates.filter((each) => accuracyAt(each) === best));
        expect(tieEpsilon(scores, ratings)).toBe(first);
      }),
    );
  });

  test("in bounds, symmetric, whatever the order of rows; monotone ratings change nothing", () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 0, max: 8 }), (rows, quarters) => {
        const scores = rows.map(([score]) => score / 4);
        const ratings = rows.map(([, rating]) => rating);
        const { accuracy, influence } = tieAccuracy(scores, ratings, quarters / 4);
        expect(accuracy).toBeGreaterThanOrEqual(0);
        expect(accuracy).toBeLessThanOrEqual(1);
        expect(Math.abs(influence.reduce((sum, each) => sum + each, 0))).toBeLessThan(1e-12);
        const again = (s: readonly number[], r: readonly number[]) =>
          tieAccuracy(s, r, quarters / 4).accuracy;
        expect(again([...scores].reverse(), [...ratings].reverse())).toBe(accuracy);
        expect(
          again(
            scores.map((each) => -each),
            ratings.map((each) => -each),
          ),
        ).toBe(accuracy);
        expect(again(scores, ratings.map(Math.exp))).toBe(accuracy);
        if (quarters === 0) expect(again(ratings, scores)).toBe(accuracy);
      }),
    );
  });

  test("the influence values give the spread of the accuracy over samples", () => {
    // Half of the rows of either rating; scores of 0 to 9 that are one higher for the better rating.
    let state = 1;
    const integer = (below: number) => {
      state = (1664525 * state + 1013904223) % 2 ** 32;
      return Math.floor((state / 2 ** 32) * below);
    };
    const samples = Array.from({ length: 300 }, () => {
      const ratings = Array.from({ length: 60 }, () => integer(3));
      const scores = ratings.map((rating) => rating * 2 + integer(8));
      const { accuracy, influence } = tieAccuracy(scores, ratings, 1);
      const rows = Int32Array.from(ratings.keys());
      return { accuracy, error: influenceError(influence, rows, rows.length) };
    });
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const center = mean(samples.map(({ accuracy }) => accuracy));
    const spread = Math.sqrt(mean(samples.map(({ accuracy }) => (accuracy - center) ** 2)));
    expect(mean(samples.map(({ error }) => error)) / spread).toBeGreaterThan(0.85);
    expect(mean(samples.map(({ error }) => error)) / spread).toBeLessThan(1.15);
  });
});
