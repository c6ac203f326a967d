import fc from "fast-check";
import { expect, test } from "vitest";
import { enlarge } from "./lanczos.js";

const grey = (width: number, height: number, levels: readonly number[]) => ({
  width,
  height,
  data: Uint8Array.from(levels.flatMap((level) => [level, level, level])),
});
const levelsOf = (data: Uint8Array) => Array.from(data).filter((_, at) => at % 3 === 0);

// Pillow 11.3: Image.fromarray(row).resize((n, 1), Image.LANCZOS)
test.each([
  [[0, 255], 5, [0, 22, 128, 233, 255]],
  [[10, 200, 30, 90, 250, 0, 255], 10, [0, 126, 187, 38, 27, 178, 243, 29, 95, 255]],
  [[255, 255, 255, 255, 0, 0, 0, 0], 13, [255, 255, 255, 247, 255, 255, 128, 0, 0, 8, 0, 0, 0]],
])("%j to %i pixels as Pillow has it", (row, width, expected) => {
  const across = enlarge(grey(row.length, 1, row), width, 1);
  expect(levelsOf(across.data)).toEqual(expected);
  const down = enlarge(grey(1, row.length, row), 1, width);
  expect(levelsOf(down.data)).toEqual(expected);
});

test("the same size is the same image, and a flat one stays flat at every larger one", () => {
  const small = grey(3, 2, [0, 50, 100, 150, 200, 255]);
  expect(enlarge(small, 3, 2)).toEqual(small);
  const side = fc.integer({ min: 1, max: 20 });
  const more = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(side, side, more, more, fc.integer({ min: 0, max: 255 }), (w, h, x, y, level) => {
      const flat = (width: number, height: number) =>
        grey(width, height, Array(width * height).fill(level));
      expect(enlarge(flat(w, h), w + x, h + y)).toEqual(flat(w + x, h + y));
    }),
  );
});

test("a smaller size is refused", () => {
  expect(() => enlarge(grey(2, 2, [0, 0, 0, 0]), 1, 3)).toThrow(
    "Expected at least 2 x 2 pixels but received 1 x 3",
  );
});
