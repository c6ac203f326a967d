import fc from "fast-check";
import { expect, test } from "vitest";
import { shrink } from "./shrink.js";

const grey = (width: number, height: number, levels: readonly number[]) => ({
  width,
  height,
  data: Uint8Array.from(levels.flatMap((level) => [level, level, level])),
});

test("each new pixel is the rounded mean of its block, each channel for itself", () => {
  const pixels = {
    width: 2,
    height: 2,
    data: Uint8Array.from([0, 10, 255, 1, 20, 255, 2, 30, 255, 3, 40, 255]),
  };
  // Means 1.5, 25 and 255: halves go up.
  expect(shrink(pixels, 1, 1)).toEqual({ width: 1, height: 1, data: Uint8Array.of(2, 25, 255) });
});

test("blocks stay where they are", () => {
  const levels = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4];
  expect(shrink(grey(4, 4, levels), 2, 2)).toEqual(grey(2, 2, [1, 2, 3, 4]));
  expect(shrink(grey(4, 2, [1, 1, 5, 5, 3, 3, 7, 7]), 2, 1)).toEqual(grey(2, 1, [2, 6]));
});

test("a flat picture stays flat at every factor, and factor 1 changes nothing", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 255 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      (level, factor, side) => {
        const large = grey(side * factor, side * factor, Array((side * factor) ** 2).fill(level));
        const small = shrink(large, side, side);
        expect([...small.data]).toEqual(Array(side * side * 3).fill(level));
        expect(shrink(small, side, side)).toEqual(small);
      },
    ),
  );
});

test("a size that is no divisor is refused", () => {
  const pixels = grey(4, 4, Array(16).fill(0));
  expect(() => shrink(pixels, 3, 2)).toThrow("Expected a divisor of 4 for width but received 3");
  expect(() => shrink(pixels, 2, 8)).toThrow("height");
  expect(() => shrink(pixels, 0, 2)).toThrow("width");
});
