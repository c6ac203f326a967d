import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { columnsOf } from "./correlation-row.js";
import { tieCalibrations } from "./tie-calibration.js";

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
