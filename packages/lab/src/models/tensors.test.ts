import { localize } from "touchstone-t2i/internal/images/localize.js";
import { pictureOfPixels } from "touchstone-t2i/internal/images/pixels-picture.js";
import { expect, test } from "vitest";
import { labPictureSize, sign } from "../signature.js";
import { labPixels, pictureTensor, shownAs } from "./tensors.js";
import type { ImageSettings } from "./weights.js";

const side = labPictureSize;
const settings: ImageSettings = {
  width: 2,
  height: 2,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
};

const grey = (width: number) => {
  const pixels = { width, height: side, data: new Uint8Array(width * side * 3).fill(128) };
  sign(pixels);
  return pictureOfPixels(pixels);
};

test("part of a picture of the lab's is one, too, and what shows it is looked at", async () => {
  const whole = grey(side);
  const data = Uint8Array.from({ length: side * side }, (_, at) => (at < 99 * side ? 1 : 0));
  const mask = { width: side, height: side, data };
  const masked = localize(await whole.pixels(), { mask, strategy: "masking" });
  const cropped = localize(await whole.pixels(), { mask, strategy: "cropping" });
  const shown = shownAs(await labPixels(pictureOfPixels(masked, whole)), settings);
  const tensor = pictureTensor(shown);
  const [upper = 0, , lower = 1] = tensor.data;
  expect(Number(upper)).toBeCloseTo(128 / 255, 2);
  expect(Number(lower)).toBeLessThan(0.1);
  // Its own pixels no longer bear the signature.
  await expect(labPixels(pictureOfPixels(cropped))).rejects.toMatchObject({
    reason: "not-applicable",
  });
  await expect(labPixels(pictureOfPixels(cropped, whole))).resolves.toBeDefined();
});

test("an origin that the lab did not paint makes no lab picture, nor does another size", async () => {
  const photograph = pictureOfPixels({
    width: side,
    height: side,
    data: new Uint8Array(side * side * 3),
  });
  const signed = await grey(side).pixels();
  for (const picture of [
    pictureOfPixels(signed, photograph),
    pictureOfPixels(await grey(side - 1).pixels(), grey(side)),
  ]) {
    await expect(labPixels(picture)).rejects.toMatchObject({
      reason: "not-applicable",
    });
  }
});
