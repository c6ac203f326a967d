import { expect, test } from "vitest";
import { peakSignalToNoise, structuralSimilarity } from "./image-changes.js";
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
