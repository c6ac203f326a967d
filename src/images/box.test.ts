import fc from "fast-check";
import { expect, test } from "vitest";
import { boxAround, boxMask, boxOfMask, unionOf, wholePixels } from "./box.js";

test("a box is every pixel that it touches, cut at the image's edges", () => {
  const size = { width: 4, height: 3 };
  const touched = wholePixels({ x0: 0.9, y0: 1, x1: 2.1, y1: 2 }, size);
  expect(touched).toEqual({ x0: 0, y0: 1, x1: 3, y1: 2 });
  const whole = wholePixels({ x0: -5, y0: -0.5, x1: 99, y1: 3.5 }, size);
  expect(whole).toEqual({ x0: 0, y0: 0, x1: 4, y1: 3 });
});

test.each([
  { x0: 4, y0: 0, x1: 9, y1: 3 },
  { x0: 0, y0: -3, x1: 4, y1: 0 },
  { x0: 2, y0: 1, x1: 1, y1: 2 },
  { x0: Number.NaN, y0: 0, x1: 4, y1: 3 },
])("outside of the image there is none: %j", (box) => {
  expect(wholePixels(box, { width: 4, height: 3 })).toBeUndefined();
});

test("as a mask, row by row, and around it again", () => {
  const box = { x0: 1, y0: 1, x1: 3, y1: 3 };
  const mask = boxMask(box, { width: 4, height: 3 });
  expect([...mask.data]).toEqual([0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0]);
  expect(boxOfMask(mask)).toEqual(box);
  const corners = boxOfMask({ width: 3, height: 2, data: Uint8Array.of(0, 0, 1, 1, 0, 0) });
  expect(corners).toEqual({ x0: 0, y0: 0, x1: 3, y1: 2 });
  expect(boxOfMask({ width: 1, height: 1, data: Uint8Array.of(0) })).toBeUndefined();
});

test("several masks are one", () => {
  const size = { width: 2, height: 1 };
  const masks = [Uint8Array.of(1, 0), Uint8Array.of(0, 0)].map((data) => ({ ...size, data }));
  expect([...unionOf(masks, size).data]).toEqual([1, 0]);
  expect([...unionOf([], size).data]).toEqual([0, 0]);
});

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
