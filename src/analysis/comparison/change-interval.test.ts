import { expect, test } from "vitest";
import { pairedTTest } from "../../stats/paired-t-test.js";
import { skewedTInterval } from "./change-interval.js";

const zeros = (values: readonly number[]) => values.map(() => 0);

test("is Student's t where nothing is skewed, or where only that is asked for", () => {
  const even = [-3, -1, 0, 1, 3];
  const skewed = [0, 0, 0, 0, 0, -9];
  for (const [values, isSymmetric] of [
    [even, false],
    [skewed, true],
  ] as const) {
    const found = skewedTInterval(values, { error: 0.025, isSymmetric });
    const { low, high } = pairedTTest(values, zeros(values));
    expect(found.low).toBeCloseTo(low ?? Number.NaN, 10);
    expect(found.high).toBeCloseTo(high ?? Number.NaN, 10);
  }
});

test("moves out the end on the side of a long tail, as Hall's transformation says, and no other", () => {
  const values = [0, -0.1, 0.1, 0, -0.2, -1.5, 0.1, 0, -0.1, -0.6];
  const found = skewedTInterval(values, { error: 0.05 });
  const plain = skewedTInterval(values, { error: 0.05, isSymmetric: true });
  expect(found.high).toBe(plain.high);
  expect(found.low).toBeLessThan(plain.low);
  // At the end that was found, the transformed T is Student's quantile.
  const n = values.length;
  const mean = values.reduce((sum, each) => sum + each, 0) / n;
  const moment = (power: number) =>
    values.reduce((sum, each) => sum + (each - mean) ** power, 0) / n;
  const error = Math.sqrt(moment(2) / (n - 1));
  const g = ((1 + 5 / n) * Math.sqrt(n * (n - 1)) * moment(3)) / (n - 2) / moment(2) ** 1.5;
  const t = (mean - found.low) / error;
  const transformed =
    t + (g * t ** 2) / (3 * Math.sqrt(n)) + (g ** 2 * t ** 3) / (27 * n) + g / (6 * Math.sqrt(n));
  expect(transformed).toBeCloseTo((mean - plain.low) / error, 9);
});

test("turns with the sign of its values", () => {
  const values = [1, 2, 2, 3, 9];
  const { low, high } = skewedTInterval(values, { error: 0.05 });
  const turned = skewedTInterval(
    values.map((each) => -each),
    { error: 0.05 },
  );
  expect(turned.low).toBeCloseTo(-high, 12);
  expect(turned.high).toBeCloseTo(-low, 12);
});
