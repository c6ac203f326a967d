import { expect, test } from "vitest";
import { centredInterval } from "./centred-interval.js";

test("without bounds quantiles keep their distance from the median", () => {
  const [low, high] = centredInterval(1, [4, 0, 3, Number.NaN, 1, 2]) ?? [];
  expect(low).toBeCloseTo(-0.9, 12);
  expect(high).toBeCloseTo(2.9, 12);
  expect(centredInterval(1, [Number.NaN])).toBeUndefined();
});

test("with bounds they keep it on Fisher's scale and stay within", () => {
  const resampled = Array.from({ length: 401 }, (_, at) => Math.tanh((at - 200) / 100));
  // On that scale the quantiles are -1.9 and 1.9, the median 0.
  const [low, high] = centredInterval(Math.tanh(1.5), resampled, [-1, 1]) ?? [];
  expect(low).toBeCloseTo(Math.tanh(-0.4), 12);
  expect(high).toBeCloseTo(Math.tanh(3.4), 12);
  const shares = resampled.map((one) => (one + 1) / 2);
  const [least, most] = centredInterval((Math.tanh(1.5) + 1) / 2, shares, [0, 1]) ?? [];
  expect(least).toBeCloseTo((Math.tanh(-0.4) + 1) / 2, 12);
  expect(most).toBeCloseTo((Math.tanh(3.4) + 1) / 2, 12);
});

test("at a bound they are widened to hold the value", () => {
  expect(centredInterval(1, [0.5, 0.5], [-1, 1])).toEqual([0.5, 1]);
  expect(centredInterval(1, [1, 1, 1], [-1, 1])).toEqual([1, 1]);
  expect(centredInterval(0.5, [1, 1, 1], [-1, 1])).toEqual([0.5, 1]);
});
