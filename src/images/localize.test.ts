import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Mask, Pixels } from "../core/models.js";
import {
  type LocalizationStrategy,
  localizationStrategies,
  localize,
  roundHalfEven,
} from "./localize.js";
import { readMask } from "./mask-file.js";
import { openPictureFile } from "./picture-file.js";

// Made with OpenCV 4.6 and Pillow 9.4 of an image of 180 x 300 pixels and an ellipse on it.
const reference = (name: string) =>
  fileURLToPath(new URL(`../../test/fixtures/localization/${name}.webp`, import.meta.url));
const pixelsOf = async (name: string) => (await openPictureFile(reference(name))).pixels();

/** Peak signal to noise in dB; infinite for equal images. */
function likeness(a: Pixels, b: Pixels): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let squares = 0;
  for (const [at, level] of a.data.entries()) squares += (level - (b.data[at] ?? 0)) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length));
}

// 40, 35 and 28 dB would do; nothing that is not blurred differs at all.
test.each([
  ["masking", Number.POSITIVE_INFINITY],
  ["blurring", 55],
  ["cropping", Number.POSITIVE_INFINITY],
  ["masking+cropping", Number.POSITIVE_INFINITY],
  ["blurring+cropping", 55],
] as const)("%s is as the reference has it, to %f dB or more", async (strategy, decibels) => {
  const { mask } = await readMask(await openPictureFile(reference("mask")), "the mask");
  const made = localize(await pixelsOf("input"), { mask, strategy });
  const expected = await pixelsOf(strategy.replace("+", "-"));
  expect(likeness(made, expected)).toBeGreaterThanOrEqual(decibels);
});

const grey = (width: number, height: number, levels: readonly number[]): Pixels => ({
  width,
  height,
  data: Uint8Array.from(levels.flatMap((level) => [level, level, level])),
});
const maskOf = (width: number, height: number, inside: readonly number[]): Mask => ({
  width,
  height,
  data: Uint8Array.from(inside),
});
const levelsOf = ({ data }: Pixels) => Array.from(data).filter((_, at) => at % 3 === 0);

test("the image's size stays, whatever is shown of it, and it is not written to", () => {
  const pixels = grey(5, 3, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150]);
  const before = Uint8Array.from(pixels.data);
  const mask = maskOf(5, 3, [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0]);
  for (const strategy of localizationStrategies) {
    const made = localize(pixels, { mask, strategy });
    expect([made.width, made.height, made.data.length]).toEqual([5, 3, 45]);
  }
  expect(pixels.data).toEqual(before);
  expect(localize(pixels, { mask, strategy: "none" })).toBe(pixels);
  expect(levelsOf(localize(pixels, { mask, strategy: "masking" }))).toEqual([
    ...[0, 0, 0, 0, 0],
    ...[0, 70, 80, 0, 0],
    ...[0, 120, 0, 0, 0],
  ]);
});

test("one pixel is enlarged to fill the frame's shorter side, in the middle of white", () => {
  const pixels = grey(5, 2, [9, 9, 9, 9, 9, 9, 9, 7, 9, 9]);
  const mask = maskOf(5, 2, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  // 2 pixels wide of 5: 1.5 to the left goes to the even 2.
  expect(levelsOf(localize(pixels, { mask, strategy: "cropping" }))).toEqual([
    ...[255, 255, 7, 7, 255],
    ...[255, 255, 7, 7, 255],
  ]);
});

test("outside the mask is blurred, inside is as it was", () => {
  const pixels = grey(
    60,
    1,
    Array.from({ length: 60 }, (_, x) => (x < 30 ? 0 : 255)),
  );
  const mask = maskOf(
    60,
    1,
    Array.from({ length: 60 }, (_, x) => (x < 15 ? 1 : 0)),
  );
  const levels = levelsOf(localize(pixels, { mask, strategy: "blurring" }));
  expect(levels.slice(0, 15)).toEqual(Array(15).fill(0));
  const soft = levels.slice(15);
  expect(soft).toEqual(soft.toSorted((a, b) => a - b));
  expect(soft[14]).toBeGreaterThan(110);
  expect(soft[14]).toBeLessThan(soft[15] ?? 0);
});

const strategy: LocalizationStrategy = "masking";
test("a mask of another size, or with nothing inside, is the caller's to mend", () => {
  const pixels = grey(2, 2, [0, 0, 0, 0]);
  expect(() => localize(pixels, { mask: maskOf(2, 1, [1, 1]), strategy })).toThrow(
    "Expected a mask of the image's size, 2 x 2 pixels, but received 2 x 1",
  );
  expect(() => localize(pixels, { mask: maskOf(2, 2, [0, 0, 0, 0]), strategy })).toThrow(
    "Expected a mask with something inside",
  );
});

test.each([
  [0.5, 0],
  [1.5, 2],
  [2.5, 2],
  [2.49, 2],
  [2.51, 3],
  [-0.5, 0],
  [-1.5, -2],
  [7, 7],
])("%f rounds to %i", (value, whole) => {
  expect(roundHalfEven(value) + 0).toBe(whole);
});
