import fc from "fast-check";
import { expect, test } from "vitest";
import { maskOfRuns, maskRuns } from "./mask-runs.js";

test("begins with what is outside, even if that is nothing", () => {
  expect(maskRuns({ width: 4, height: 1, data: Uint8Array.of(1, 1, 0, 1) })).toEqual([0, 2, 1, 1]);
  expect(maskRuns({ width: 2, height: 2, data: new Uint8Array(4) })).toEqual([4]);
});

test("any mask comes back as it was", () => {
  const mask = fc
    .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
    .chain(({ width, height }) =>
      fc
        .array(fc.constantFrom(0, 1), { minLength: width * height, maxLength: width * height })
        .map((pixels) => ({ width, height, data: Uint8Array.from(pixels) })),
    );
  fc.assert(
    fc.property(mask, (one) => {
      expect(maskOfRuns(maskRuns(one), one)).toEqual(one);
    }),
  );
});

test("runs that do not fill the picture are no mask", () => {
  const size = { width: 2, height: 2 };
  expect(maskOfRuns([1, 2], size)).toBeUndefined();
  expect(maskOfRuns([5, -1], size)).toBeUndefined();
  expect(maskOfRuns([Number.NaN], size)).toBeUndefined();
});
