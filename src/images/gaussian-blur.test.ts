import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pixels } from "../core/models.js";
import { blurred } from "./gaussian-blur.js";

/** The definition, sum by sum: 51 x 51 weights, reflected at the border. */
function blurredByDefinition({ width, height, data }: Pixels): number[] {
  const weights = Array.from({ length: 51 }, (_, at) => Math.exp(-((at - 25) ** 2) / 1250));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const across = (line: (at: number) => number, size: number) =>
    Array.from({ length: size }, (_, middle) =>
      weights.reduce(
        (total, weight, at) => total + (weight / sum) * line(mirrored(middle + at - 25, size)),
        0,
      ),
    );
  const levels = Array.from(data);
  const blurredLevels = [...levels];
  for (let channel = 0; channel < 3; channel++) {
    const rows = Array.from({ length: height }, (_, y) =>
      across((x) => levels[(y * width + x) * 3 + channel] ?? 0, width),
    );
    for (let x = 0; x < width; x++) {
      const column = across((y) => rows[y]?.[x] ?? 0, height);
      for (const [y, level] of column.entries()) {
        blurredLevels[(y * width + x) * 3 + channel] = level;
      }
    }
  }
  return blurredLevels;
}

/** Walks there and turns at each end without standing still. */
function mirrored(at: number, size: number): number {
  let place = at;
  while (size > 1 && (place < 0 || place >= size)) {
    place = place < 0 ? -place : 2 * (size - 1) - place;
  }
  return size === 1 ? 0 : place;
}

const picture = fc
  .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 40 }))
  .chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      // Black and white alone: the hardest edges there are.
      data: fc
        .array(fc.constantFrom(0, 255), { minLength: 64, maxLength: 64 })
        .map((some) =>
          Uint8Array.from({ length: width * height * 3 }, (_, at) => some[(at * 7) % 64] ?? 0),
        ),
    }),
  );

test("every level lies within one of the definition's, for images of any size", () => {
  fc.assert(
    fc.property(picture, (pixels) => {
      const { data } = blurred(pixels);
      for (const [at, level] of blurredByDefinition(pixels).entries()) {
        expect(Math.abs((data[at] ?? 0) - level)).toBeLessThan(1);
      }
    }),
    { numRuns: 20 },
  );
});

test("a part is what the whole shows there, and a flat image stays flat", () => {
  const width = 60;
  const data = Uint8Array.from({ length: width * 50 * 3 }, (_, at) => (at * 7919) % 251);
  const pixels = { width, height: 50, data };
  const whole = blurred(pixels);
  const part = blurred(pixels, { x0: 3, y0: 5, x1: 40, y1: 49 });
  expect([part.width, part.height]).toEqual([37, 44]);
  for (let y = 0; y < part.height; y++) {
    for (let at = 0; at < part.width * 3; at++) {
      const there = whole.data[((y + 5) * width + 3) * 3 + at] ?? 0;
      expect(Math.abs((part.data[y * part.width * 3 + at] ?? 0) - there)).toBeLessThanOrEqual(1);
    }
  }
  for (const level of [0, 255]) {
    const flat = blurred({ ...pixels, data: new Uint8Array(data.length).fill(level) });
    expect(new Set(flat.data)).toEqual(new Set([level]));
  }
});
