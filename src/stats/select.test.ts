import fc from "fast-check";
import { expect, test } from "vitest";
import { percentileInterval } from "./percentile-interval.js";
import { quantile } from "./quantile.js";
import { select } from "./select.js";

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));

test("what is selected is what sorting puts there, with none larger before and none smaller behind", () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 60 }), fc.nat(), (numbers, any) => {
      const values = Float64Array.from(numbers);
      const place = any % values.length;
      select(values, place);
      const selected = values[place] ?? Number.NaN;
      expect(Math.max(...values.subarray(0, place))).toBeLessThanOrEqual(selected);
      expect(Math.min(...values.subarray(place + 1))).toBeGreaterThanOrEqual(selected);
      expect(values.toSorted()).toEqual(Float64Array.from(numbers).sort());
    }),
  );
});

test("percentiles are the quantiles of what is defined, sorted", () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), (numbers) => {
      const sorted = numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
      const expected =
        sorted.length === 0 ? undefined : [quantile(sorted, 0.025), quantile(sorted, 0.975)];
      expect(percentileInterval(numbers)).toEqual(expected);
    }),
  );
});
