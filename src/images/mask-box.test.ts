import fc from "fast-check";
import { expect, test } from "vitest";
import { boxAround } from "./mask-box.js";

/** A mask with one rectangle inside, both ends included. */
function rectangle(
  [width, height]: readonly [number, number],
  { x: [x0, x1], y: [y0, y1] }: { x: readonly [number, number]; y: readonly [number, number] },
) {
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    const x = at % width;
    const y = Math.floor(at / width);
    return x >= x0 && x <= x1 && y >= y0 && y <= y1 ? 1 : 0;
  });
  return { width, height, data };
}

test("a tenth of the extent on each side, the far end left out, cut off at the edges", () => {
  const mask = rectangle([100, 60], { x: [20, 59], y: [1, 50] });
  // 39 columns apart give 3, 49 rows apart give 4.
  expect(boxAround(mask)).toEqual({ x0: 17, y0: 0, x1: 62, y1: 54 });
});

test("one pixel has a box of one pixel; nothing has none", () => {
  expect(boxAround(rectangle([9, 9], { x: [8, 8], y: [0, 0] }))).toEqual({
    x0: 8,
    y0: 0,
    x1: 9,
    y1: 1,
  });
  expect(boxAround({ width: 3, height: 2, data: new Uint8Array(6) })).toBeUndefined();
});

test("single pixels anywhere decide it, wherever else the mask is", () => {
  const size = 30;
  const place = fc.integer({ min: 0, max: size * size - 1 });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 6 }), (places) => {
      const data = new Uint8Array(size * size);
      for (const at of places) data[at] = 1;
      const xs = places.map((at) => at % size);
      const ys = places.map((at) => Math.floor(at / size));
      const ends = (all: number[]) => [Math.min(...all), Math.max(...all)] as const;
      const whole = rectangle([size, size], { x: ends(xs), y: ends(ys) });
      expect(boxAround({ width: size, height: size, data })).toEqual(boxAround(whole));
    }),
  );
});
