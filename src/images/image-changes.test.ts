import { expect, test } from "vitest";
import {
  imageChange,
  middleAndWorst,
  mostChanged,
  peakSignalToNoise,
  type SideImage,
  structuralSimilarity,
} from "./image-changes.js";
import { pictureOfPixels } from "./pixels-picture.js";

const side = (grey: number, width = 8): SideImage => ({
  name: `${grey}.png`,
  text: "a thing",
  seed: "0",
  model: "",
  score: null,
  open: async () =>
    pictureOfPixels({ width, height: 8, data: new Uint8Array(width * 8 * 3).fill(grey) }),
});

test("equal images are not asked about; others have all three measures", async () => {
  const distance = async () => 0.25;
  expect(await imageChange(side(10), side(10), distance)).toMatchObject({
    psnr: null,
    ssim: 1,
    distance: 0,
    isVisible: false,
  });
  const changed = await imageChange(side(10), side(30), distance);
  expect(changed).toMatchObject({ distance: 0.25, isVisible: true });
  expect(changed.psnr).toBeCloseTo(20 * Math.log10(255 / 20), 9);
  // One grey level is nothing that people see.
  expect((await imageChange(side(100), side(101))).isVisible).toBe(false);
});

test("images of two sizes changed, and come first", async () => {
  const changes = [
    await imageChange(side(10), side(10)),
    await imageChange(side(10), side(30)),
    await imageChange(side(10), side(10, 9)),
  ];
  expect(changes[2]).toMatchObject({ psnr: null, ssim: null, isVisible: true });
  expect(mostChanged(changes)).toEqual([changes[2], changes[1]]);
});

test("null counts as above all others", () => {
  expect(middleAndWorst([null, 3, 1])).toEqual({ median: 3, worst: 1 });
  expect(middleAndWorst([null, null, 1, 2])).toEqual({ median: null, worst: 1 });
  expect(middleAndWorst([4, 2])).toEqual({ median: 3, worst: 2 });
});

import reference from "./image-similarity-reference.json" with { type: "json" };

function pixels(width: number, height: number, value: (at: number) => number) {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) =>
    Math.min(255, Math.max(0, value(at))),
  );
  return { width, height, data };
}

test.each(reference.images)("is what scikit-image has: $width x $height", (image) => {
  const { width, height, noise, ssim, psnr } = image;
  const value =
    noise === 5
      ? (at: number) => ((Math.floor(at / 3) % width) * 2 + (at % 3) * 20) % 256
      : (at: number) => (at * at * 7 + at * 13) % 251;
  const one = pixels(width, height, value);
  const other = pixels(width, height, (at) => value(at) + ((at * 37) % noise) - (noise >> 1));
  expect(structuralSimilarity(one, other)).toBeCloseTo(ssim, 9);
  expect(peakSignalToNoise(one, other)).toBeCloseTo(psnr, 9);
});

test("equal images have a similarity of 1 and no finite ratio; small ones have no window", () => {
  const one = pixels(8, 9, (at) => at % 256);
  expect(structuralSimilarity(one, one)).toBeCloseTo(1, 12);
  expect(peakSignalToNoise(one, one)).toBeNull();
  const small = pixels(6, 20, () => 1);
  expect(structuralSimilarity(small, small)).toBeNull();
});
