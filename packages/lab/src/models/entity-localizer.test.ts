import type { Mask } from "touchstone-t2i/internal/core/models.js";
import { expect, test } from "vitest";
import { withoutSpecks } from "./entity-localizer.js";

const width = 10;

/** Rows of ten, "#" inside. */
const maskOf = (...rows: readonly string[]): Mask => ({
  width,
  height: rows.length,
  data: Uint8Array.from(rows.join(""), (mark) => Number(mark === "#")),
});

const block = ["######....", "######....", "######....", "######...."];

test("a part under a twentieth of the largest is gone, a larger one stays", () => {
  // 24 pixels; one is less than a twentieth of them, two are more.
  expect(withoutSpecks(maskOf(...block, "..........", ".........#"))).toEqual(
    maskOf(...block, "..........", ".........."),
  );
  const two = maskOf(...block, "..........", "........##");
  expect(withoutSpecks(two)).toEqual(two);
});

test("pixels hang together by their sides, not by corners nor across the edges", () => {
  expect(withoutSpecks(maskOf(...block, "......#..."))).toEqual(maskOf(...block, ".........."));
  // The last of one row and the first of the next are far apart.
  const right = ["....######", "....######", "....######", "....######"];
  expect(withoutSpecks(maskOf(...right, "#........."))).toEqual(maskOf(...right, ".........."));
  const bent = maskOf("##########", "#.........", "####......", "...#......");
  expect(withoutSpecks(bent)).toEqual(bent);
});

test("nothing stays nothing", () => {
  expect(withoutSpecks(maskOf("..........")).data.includes(1)).toBe(false);
});
