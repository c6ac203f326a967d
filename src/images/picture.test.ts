import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { hashOf } from "../core/keys.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "./picture.js";

const noise = Uint8Array.from({ length: 64 * 48 * 3 }, (_, index) => (index * 7919) % 251);
const raw = () => sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });

test("a PNG comes back pixel for pixel, with its hash and its type", async () => {
  const bytes = await raw().png().toBuffer();
  const picture = await openPicture(bytes);
  expect(picture).toMatchObject({ width: 64, height: 48, mediaType: "image/png" });
  expect(picture.hash).toBe(hashOf(bytes));
  const pixels = await picture.pixels();
  expect([pixels.width, pixels.height]).toEqual([64, 48]);
  expect([...pixels.data]).toEqual([...noise]);
});

test("pixels are decoded once", async () => {
  const picture = await openPicture(await raw().png().toBuffer());
  expect(await picture.pixels()).toBe(await picture.pixels());
});

test.each(["jpeg", "webp", "gif", "tiff", "avif"] as const)("%s is read", async (format) => {
  const picture = await openPicture(await raw().toFormat(format).toBuffer());
  expect(picture.mediaType).toBe(`image/${format}`);
  expect((await picture.pixels()).data).toHaveLength(64 * 48 * 3);
});

test("transparent pixels are white, half transparent ones are mixed with white", async () => {
  const rgba = Uint8Array.from([255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 128]);
  const bytes = await sharp(rgba, { raw: { width: 3, height: 1, channels: 4 } })
    .png()
    .toBuffer();
  const { data } = await (await openPicture(bytes)).pixels();
  expect([...data]).toEqual([255, 0, 0, 255, 255, 255, 127, 127, 127]);
});

test("grey and 16-bit images become 8-bit RGB", async () => {
  const grey = sharp(noise.subarray(0, 64), { raw: { width: 8, height: 8, channels: 1 } });
  const bytes = await grey.toColourspace("rgb16").png().toBuffer();
  const { data } = await (await openPicture(bytes)).pixels();
  expect([...data]).toEqual([...noise.subarray(0, 64)].flatMap((level) => [level, level, level]));
});

test("a photograph that lies on its side by its orientation tag stands upright", async () => {
  const picture = await openPicture(await raw().withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect([picture.width, picture.height]).toEqual([48, 64]);
  const pixels = await picture.pixels();
  expect([pixels.width, pixels.height]).toEqual([48, 64]);
});

describe("a hostile file is refused by name", () => {
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error).toMatchObject({ reason: "bad-input", retryable: false });
    return (error as NoAnswer).message;
  };

  test("empty", async () => {
    expect(await refusal(openPicture(new Uint8Array(), "void.png"))).toBe(
      "Can't read void.png: it is empty (0 bytes)",
    );
  });

  test("not an image", async () => {
    const message = await refusal(openPicture(new TextEncoder().encode("hello"), "note.png"));
    expect(message).toBe("Can't read note.png: it is not an image in a known format");
  });

  test("SVG, which may refer to files", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
    expect(await refusal(openPicture(new TextEncoder().encode(svg), "a.svg"))).toBe(
      "Can't read a.svg: SVG is not read",
    );
  });

  test("a header of 30,000 x 30,000, told by its header alone", async () => {
    const bytes = pngHeader(30_000, 30_000);
    expect(await refusal(openPicture(bytes, "bomb.png"))).toBe(
      "Can't read bomb.png: its header says 30000 x 30000 pixels, and more than 67,108,864 are not decoded",
    );
  });

  test("the largest header that is taken", async () => {
    const picture = await openPicture(pngHeader(8192, 8192));
    expect([picture.width, picture.height]).toEqual([8192, 8192]);
  });

  test.each(["png", "jpeg"] as const)("a %s cut anywhere in its pixels", async (format) => {
    const bytes = await raw().toFormat(format).toBuffer();
    for (const share of [0.6, 0.8, 0.99]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      const message = await refusal(openPicture(cut, "cut").then((picture) => picture.pixels()));
      expect(message).toBe("Can't read cut: the file is cut short or corrupt");
    }
  });

  test("a PNG with one byte changed", async () => {
    const bytes = await raw().png().toBuffer();
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
    const picture = await openPicture(bytes, "hit.png");
    expect(await refusal(picture.pixels())).toContain("hit.png");
  });
});

/** A PNG whose header promises a size that its pixels do not keep. */
function pngHeader(width: number, height: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, 2);
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(new Uint8Array(64))),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
    }
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
