import { expect, test } from "vitest";
import { boxMask, boxOfMask, unionOf, wholePixels } from "./box.js";

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
