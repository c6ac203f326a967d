import fc from "fast-check";
import { expect, test } from "vitest";
import { fisherMargin } from "./fisher-z.js";
import { effectiveClusters, influenceMargin, spreadError, spreadOf } from "./influence-error.js";

const centred = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => (value - mean) / values.length);
};

test("the standard error of a mean is that of its sample", () => {
  // The sample's standard deviation is 1 (n - 1), over the root of 3.
  expect(spreadError(spreadOf(centred([1, 2, 3])))).toBeCloseTo(1 / Math.sqrt(3), 12);
  expect(spreadError(spreadOf(centred([1])))).toBeNaN();
});

test("clusters that all move it alike count whole, one that moves it alone counts as three", () => {
  expect(effectiveClusters(spreadOf(Float64Array.of(1, -1, 1, -1)))).toBe(4);
  const alone = new Float64Array(1000).fill(-1 / 999);
  alone[0] = 1;
  expect(effectiveClusters(spreadOf(alone))).toBeCloseTo(3, 1);
});

test("effective clusters lie between two and all, and have no unit", () => {
  const value = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 3, maxLength: 30 }), (values) => {
      const influence = centred(values);
      fc.pre(influence.some((one) => Math.abs(one) > 1e-6));
      const effective = effectiveClusters(spreadOf(influence));
      expect(effective).toBeGreaterThanOrEqual(2);
      expect(effective).toBeLessThanOrEqual(values.length);
      const scaled = effectiveClusters(spreadOf(influence.map((one) => 8 * one)));
      expect(scaled).toBeCloseTo(effective, 9);
    }),
  );
});

test("the margin of t is that of a t-test where all count whole", () => {
  const spread = spreadOf(Float64Array.of(1, -1, 1, -1));
  // Three degrees of freedom: 3.182.
  expect(influenceMargin("t", spread) / spreadError(spread)).toBeCloseTo(3.182, 3);
  expect(influenceMargin("delta", spread) / spreadError(spread)).toBeCloseTo(1.96, 3);
});

test("on Fisher's scale an interval stays within its range, and is about as wide near the middle", () => {
  const [low, high] = fisherMargin(0.8, 0.1, [-1, 1]);
  expect(low).toBeCloseTo(Math.tanh(Math.atanh(0.8) - 0.1 / 0.36), 12);
  expect(high).toBeCloseTo(Math.tanh(Math.atanh(0.8) + 0.1 / 0.36), 12);
  expect(fisherMargin(0.5, 0.01, [0, 1])[1]).toBeCloseTo(0.51, 4);
  expect(fisherMargin(1, 0.1, [-1, 1])).toEqual([1, 1]);
});
