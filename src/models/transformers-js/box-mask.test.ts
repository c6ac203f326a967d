import { expect, test } from "vitest";
import { boxMask, wholePixels } from "./box-mask.js";

test("a box is every pixel that it touches, cut at the image's edges", () => {
  const size = { width: 4, height: 3 };
  expect(wholePixels({ xmin: 0.9, ymin: 1, xmax: 2.1, ymax: 2 }, size)).toEqual({
    left: 0,
    top: 1,
    right: 3,
    bottom: 2,
  });
  expect(wholePixels({ xmin: -5, ymin: -0.5, xmax: 99, ymax: 3.5 }, size)).toEqual({
    left: 0,
    top: 0,
    right: 4,
    bottom: 3,
  });
});

test("as a mask, row by row", () => {
  const mask = boxMask({ left: 1, top: 1, right: 3, bottom: 3 }, { width: 4, height: 3 });
  expect([...mask.data]).toEqual([0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0]);
  const empty = boxMask({ left: 2, top: 0, right: 2, bottom: 3 }, { width: 4, height: 3 });
  expect(empty.data.includes(1)).toBe(false);
});
