import { decode } from "fast-png";
import sharp from "sharp";
import { expect, test } from "vitest";
import { oddImages } from "../../test/support/odd-images.js";
import { openPicture } from "./picture.js";
import { plainImage } from "./plain-image.js";

test.each([...(await oddImages())])(
  "%s keeps its pixels in a decoder that knows nothing",
  async (name, bytes) => {
    const picture = await openPicture(bytes, name);
    const plain = await plainImage(picture);
    if (name.startsWith("plain")) return expect(plain.bytes).toBe(bytes);
    const { width, height, data, channels, depth } = decode(plain.bytes);
    expect([channels, depth]).toEqual([3, 8]);
    const pixels = await picture.pixels();
    expect({ width, height }).toEqual({ width: pixels.width, height: pixels.height });
    expect(Buffer.from(data).equals(pixels.data)).toBe(true);
  },
);

test("a picture of somebody else's making goes by its pixels, whatever its bytes are", async () => {
  const picture = await openPicture(
    await sharp({ create: { width: 2, height: 1, channels: 3, background: "red" } })
      .png()
      .toBuffer(),
  );
  const { bytes } = await plainImage({ ...picture, bytes: Uint8Array.of(1, 2, 3) });
  expect([...decode(bytes).data]).toEqual([255, 0, 0, 255, 0, 0]);
});
