import sharp from "sharp";
import type { Pixels } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { expect, test } from "vitest";
import { isLabPicture, labPictureSize, sign } from "./signature.js";

const side = labPictureSize;

/** Soft noise, as a photograph of nothing has it. */
function noise(seed: number): Pixels {
  const random = randomFrom("noise", seed);
  const data = Uint8Array.from({ length: side * side * 3 }, () => 100 + random.integer(60));
  return { width: side, height: side, data };
}

function signed(seed: number): Pixels {
  const pixels = noise(seed);
  sign(pixels);
  return pixels;
}

const imageOf = ({ width, height, data }: Pixels) =>
  sharp(data, { raw: { width, height, channels: 3 } });

const passes = async (image: ReturnType<typeof sharp>) =>
  isLabPicture(await (await openPicture(await image.toBuffer())).pixels());

test("a signed picture passes, an unsigned one does not", () => {
  for (let seed = 0; seed < 20; seed++) {
    expect(isLabPicture(noise(seed))).toBe(false);
    expect(isLabPicture(signed(seed))).toBe(true);
  }
  expect(isLabPicture({ ...noise(0), data: new Uint8Array(side * side * 3) })).toBe(false);
  expect(isLabPicture({ ...noise(0), data: new Uint8Array(side * side * 3).fill(255) })).toBe(
    false,
  );
});

test("signing moves no level by more than one, and only in the first row", () => {
  const [before, after] = [noise(1), signed(1)];
  after.data.forEach((level, index) => {
    const moved = Math.abs(level - (before.data[index] ?? 0));
    expect(moved).toBeLessThanOrEqual(index < side * 3 ? 1 : 0);
  });
});

test("it outlives what loses no pixel", async () => {
  const image = imageOf(signed(2));
  expect(await passes(image.clone().png({ compressionLevel: 0 }))).toBe(true);
  expect(await passes(image.clone().png({ compressionLevel: 9, progressive: true }))).toBe(true);
  expect(await passes(image.clone().webp({ lossless: true }))).toBe(true);
  expect(await passes(image.clone().tiff({ compression: "deflate" }))).toBe(true);
});

test("it does not outlive JPEG, a resize there and back, a crop, a turn or a flip", async () => {
  const image = imageOf(signed(3));
  expect(await passes(image.clone().jpeg({ quality: 100 }))).toBe(false);
  expect(await passes(image.clone().webp({ quality: 90 }))).toBe(false);
  expect(await passes(image.clone().resize(96, 96).png())).toBe(false);
  expect(await passes(image.clone().resize(384, 384).png())).toBe(false);
  const smaller = await image.clone().resize(100, 100).png().toBuffer();
  expect(await passes(sharp(smaller).resize(side, side).png())).toBe(false);
  const cropped = image.clone().extract({ left: 1, top: 0, width: side - 1, height: side });
  expect(await passes(cropped.extend({ right: 1 }).png())).toBe(false);
  expect(await passes(image.clone().rotate(90).png())).toBe(false);
  expect(await passes(image.clone().flop().png())).toBe(false);
});
