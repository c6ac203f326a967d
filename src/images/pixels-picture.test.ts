import { expect, test } from "vitest";
import { hashOf } from "../core/keys.js";
import { openPicture } from "./picture.js";
import { pictureOfPixels } from "./pixels-picture.js";

test("pixels come back from their bytes, and the hash is that of the bytes", async () => {
  const pixels = { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 250, 128, 0) };
  const picture = pictureOfPixels(pixels);
  const opened = await openPicture(picture.bytes);
  expect(opened).toMatchObject({ width: 2, height: 1, mediaType: picture.mediaType });
  expect([...(await opened.pixels()).data]).toEqual([...pixels.data]);
  expect(picture.hash).toBe(hashOf(picture.bytes));
  expect(picture.bytes).toBe(picture.bytes);
  expect("origin" in picture).toBe(false);
  expect(pictureOfPixels(pixels, opened).origin).toBe(opened);
});
