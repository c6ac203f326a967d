import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { gifOnCanvas, withChunk } from "../../test/support/odd-images.js";
import { exactPixels, openPicture } from "./picture.js";
import { thumbnail } from "./thumbnail.js";

const red = sharp({ create: { width: 3, height: 2, channels: 3, background: "#f00" } });

/** A red frame of 3 x 2 at (1, 1). */
const redOnCanvas = (width: number, height: number) =>
  gifOnCanvas(red.clone(), { width, height, left: 1, top: 1 });

test("a GIF's first frame lies on a canvas that is transparent elsewhere", async () => {
  const file = await redOnCanvas(5, 4);
  const picture = await openPicture(file);
  expect(picture).toMatchObject({ width: 5, height: 4 });
  const { data } = await picture.pixels();
  const greens = Array.from({ length: 20 }, (_, at) => data[at * 3 + 1]);
  const outside = [0, 1, 2, 3, 4, 5, 9, 10, 14, 15, 16, 17, 18, 19];
  expect(greens).toEqual(Array.from({ length: 20 }, (_, at) => (outside.includes(at) ? 255 : 0)));
  const { data: exact } = await exactPixels(file, "made.gif");
  expect([exact[3], exact[6 * 4 + 3]]).toEqual([0, 255]);
});

test.each([
  [640, 480],
  [3000, 20],
])("a canvas of %d x %d keeps its size", async (width, height) => {
  const picture = await openPicture(await redOnCanvas(width, height));
  expect(picture).toMatchObject({ width, height });
  const { data } = await picture.pixels();
  expect([data.length, data[1], data[(width + 1) * 3 + 1]]).toEqual([width * height * 3, 255, 0]);
});

/** Chromium 143 and the formats' specifications agree on these. */
test.each([
  ["jpeg", { width: 2, height: 3 }],
  ["png", { width: 2, height: 3 }],
  ["tiff", { width: 2, height: 3 }],
  ["avif", { width: 2, height: 3 }],
  ["webp", { width: 3, height: 2 }],
] as const)("a %s whose EXIF lays it on its side", async (format, size) => {
  const bytes = await red.clone().withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
  const picture = await openPicture(bytes);
  expect(picture).toMatchObject(size);
  expect(await picture.pixels()).toMatchObject(size);
  expect(await thumbnail(picture, { mostBytes: 0 })).toMatchObject(size);
});

test("an AVIF is turned by its container alone", async () => {
  const bytes = await red.clone().withMetadata({ orientation: 6 }).avif().toBuffer();
  bytes[bytes.indexOf("irot") + 4] = 0;
  expect(await openPicture(bytes)).toMatchObject({ width: 3, height: 2 });
});

test.each([
  ["p3", "ushort"],
  ["p3", "uchar"],
  ["srgb", "ushort"],
] as const)(
  "samples of a mask are those of the file, whatever its profile (%s, %s)",
  async (profile, depth) => {
    const samples = depth === "ushort" ? [0, 1, 257, 65535, 30000, 12345] : [0, 1, 2, 255, 128, 90];
    const raw = { width: 2, height: 1, channels: 3 } as const;
    const made = depth === "ushort" ? Uint16Array.from(samples) : Uint8Array.from(samples);
    const plain = await sharp(made, { raw })
      .toColourspace(depth === "ushort" ? "rgb16" : "srgb")
      .png()
      .toBuffer();
    const { icc } = await sharp(
      await red.clone().withIccProfile(profile).png().toBuffer(),
    ).metadata();
    const chunk = Buffer.concat([Buffer.from("icc\0\0"), deflateSync(icc ?? Buffer.of())]);
    const file = withChunk(plain, "iCCP", chunk);
    const { data } = await exactPixels(file, "mask.png");
    expect([...data].filter((_, at) => at % 4 < 3)).toEqual(samples);
  },
);

test("a 16-bit PNG is transparent at exactly the colour that its tRNS names", async () => {
  const samples = Uint16Array.from([1000, 2000, 3000, 1001, 2000, 3000]);
  const png = await sharp(samples, { raw: { width: 2, height: 1, channels: 3 } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  const { pixels } = await openPicture(
    withChunk(png, "tRNS", Uint8Array.of(3, 232, 7, 208, 11, 184)),
  );
  expect([...(await pixels()).data]).toEqual([255, 255, 255, 3, 7, 11]);
});
