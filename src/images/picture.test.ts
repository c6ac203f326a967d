import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { hashOf } from "../core/keys.js";
import { NoAnswer } from "../core/unscored.js";
import { checkBody, openPicture } from "./picture.js";

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
    expect(await refusal(openPicture(new TextEncoder().encode(svg), "a.svg"))).toContain(
      "Can't read a.svg: SVG is not read",
    );
  });

  test.each([
    ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["HEIC", "\0\0\0\x18ftypmif1\0\0\0\0miafheic"],
    ["JPEG XL", "\0\0\0\x0cJXL \r\n"],
    ["BMP", "BM\0\0"],
    ["PDF", "%PDF-1.7"],
  ])("%s, by its first bytes", async (format, start) => {
    const bytes = Uint8Array.from(start.padEnd(200, "\x01"), (one) => one.charCodeAt(0));
    expect(await refusal(openPicture(bytes, "photo"))).toContain(
      `Can't read photo: ${format} is not read`,
    );
  });

  test("an AVIF that is cut short is no HEIC", async () => {
    const bytes = await raw().avif().toBuffer();
    const cut = openPicture(bytes.subarray(0, 100), "a.avif").then((one) => one.pixels());
    expect(await refusal(cut)).not.toContain("HEIC");
  });

  test("a header of 30,000 x 30,000, told by its header alone", async () => {
    const bytes = pngHeader(30_000, 30_000);
    expect(await refusal(openPicture(bytes, "bomb.png"))).toBe(
      "Can't read bomb.png: its header says 30000 x 30000 pixels, and more than 67,108,864 are not decoded",
    );
  });

  test("the largest header that is taken", async () => {
    const picture = await openPicture(pngHeader(8192, 8192, new Uint8Array(196_000)));
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
    expect(await refusal(openPicture(bytes, "hit.png"))).toBe(
      "Can't read hit.png: the checksum of its IDAT chunk is wrong",
    );
  });
});

/** A PNG whose header promises a size that its pixels do not keep. */
function pngHeader(
  width: number,
  height: number,
  data: Uint8Array = deflateSync(new Uint8Array(64)),
): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, 2);
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", data),
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

describe("a file that lies is refused by name", () => {
  const changed = (bytes: Uint8Array, change: (file: Buffer) => void) => {
    const file = Buffer.from(bytes);
    change(file);
    return file;
  };
  const problem = async (bytes: Uint8Array) => {
    const error = await openPicture(bytes, "lie.png")
      .then((picture) => picture.pixels())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswer);
    return (error as NoAnswer).message;
  };
  const png = () => raw().png().toBuffer();
  const gif = () => raw().gif().toBuffer();
  const jpeg = () => raw().jpeg().toBuffer();
  /** Another height, and the checksum that goes with it. */
  const tall = (height: number) => (file: Buffer) => {
    file.writeUInt32BE(height, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  };
  const frame = (file: Buffer) => file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));

  test.each(["IHDR", "IDAT", "IEND"])("a PNG with a wrong checksum of %s", async (type) => {
    const bytes = changed(await png(), (file) => {
      const at = file.indexOf(type);
      const last = at + 4 + file.readUInt32BE(at - 4) + 3;
      file[last] = (file[last] ?? 0) ^ 1;
    });
    expect(await problem(bytes)).toBe(
      `Can't read lie.png: the checksum of its ${type} chunk is wrong`,
    );
  });

  test("a PNG of fewer and of more rows than it holds", async () => {
    expect(await problem(changed(await png(), tall(40)))).toContain("more pixels than its header");
    expect(await problem(changed(await png(), tall(60)))).toContain("cut short or corrupt");
    const woven = await raw().png({ progressive: true }).toBuffer();
    expect((await (await openPicture(woven)).pixels()).data).toHaveLength(noise.length);
    expect(await problem(changed(woven, tall(40)))).toContain("more pixels than its header");
  });

  test("a PNG of more pixels than its data could ever unpack to is refused by its header", async () => {
    const bytes = changed(await png(), tall(1_000_000));
    await expect(openPicture(bytes, "lie.png")).rejects.toMatchObject({
      reason: "bad-input",
      message: "Can't read lie.png: it holds fewer pixels than its header says",
    });
    const create = { width: 2000, height: 2000, channels: 3, background: "black" } as const;
    const black = await sharp({ create }).png({ compressionLevel: 9 }).toBuffer();
    expect(black.length).toBeLessThan(13_000);
    expect((await openPicture(black)).width).toBe(2000);
  });

  test.each([
    ["smaller", 8, 6],
    ["huge", 60_000, 60_000],
  ])("a GIF whose canvas is %s than its frame", async (_case, width, height) => {
    const bytes = changed(await gif(), (file) => {
      file.writeUInt16LE(width, 6);
      file.writeUInt16LE(height, 8);
    });
    expect(await problem(bytes)).toMatch(/header says [\d,]+ x [\d,]+ pixels/);
  });

  test.each([10, 60])("a GIF that says it has %d rows", async (rows) => {
    const bytes = changed(await gif(), (file) => {
      file.writeUInt16LE(rows, 8);
      file.writeUInt16LE(rows, frame(file) + 7);
    });
    expect(await problem(bytes)).toContain(
      `its header says ${rows * 64} pixels, its first frame holds 3072`,
    );
  });

  test("a JPEG that is taller, or wider, than its data", async () => {
    for (const offset of [5, 7]) {
      const bytes = changed(await jpeg(), (file) =>
        file.writeUInt16BE(200, file.indexOf(Buffer.from([0xff, 0xc0])) + offset),
      );
      expect(await problem(bytes)).toContain("cut short or corrupt");
    }
  });

  test("a JPEG with bytes too many is none of them: it shows what it has", async () => {
    const bytes = await jpeg();
    const more = Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(9, 7), bytes.subarray(-2)]);
    const pixels = async (file: Uint8Array) => (await (await openPicture(file)).pixels()).data;
    expect(await pixels(more)).toEqual(await pixels(bytes));
  });
});

test.each([2, 3, 17, 256])("a GIF of %d colours and many codes is read", async (colours) => {
  const wide = Uint8Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * at * 31) % 253);
  const bytes = await sharp(wide, { raw: { width: 300, height: 200, channels: 3 } })
    .gif({ colours })
    .toBuffer();
  expect((await (await openPicture(bytes)).pixels()).width).toBe(300);
});

describe("a usual PNG is decoded as the library decodes it", () => {
  const level = (at: number) => ((at * 7919) % 251) ^ (at >> 5);
  const samples = (length: number) => Uint8Array.from({ length }, (_, at) => level(at));
  /** Rows of 8 bits whose filters differ from row to row. */
  const filtered = (width: number, height: number, channels: 1 | 3) => {
    const rows = Buffer.alloc(height * (1 + width * channels));
    rows.set(samples(rows.length));
    for (let y = 0; y < height; y++) rows[y * (1 + width * channels)] = (y * 3 + 4) % 5;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header[8] = 8;
    header[9] = channels === 1 ? 0 : 2;
    return (change: (rows: Buffer) => Buffer = (all) => all, split = 100) => {
      const packed = deflateSync(change(rows));
      const parts = [packed.subarray(0, split), packed.subarray(split)];
      return Buffer.concat([
        Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
        chunk("IHDR", header),
        ...parts.map((part) => chunk("IDAT", part)),
        chunk("IEND", new Uint8Array()),
      ]);
    };
  };

  test.each([
    [1, 1, 1],
    [1, 7, 3],
    [33, 11, 1],
    [40, 23, 3],
    [300, 200, 3],
  ] as const)("%d x %d of %d samples", async (width, height, channels) => {
    const bytes = filtered(width, height, channels)();
    const { data } = await (await openPicture(bytes)).pixels();
    const theirs = await sharp(bytes).toColourspace("srgb").raw().toBuffer();
    expect(Buffer.compare(Buffer.from(data), theirs)).toBe(0);
  });

  test.each([
    ["a row less", (rows: Buffer) => rows.subarray(0, -121), "cut short or corrupt"],
    ["a byte more", (rows: Buffer) => Buffer.concat([rows, Buffer.of(1)]), "more pixels than"],
    ["a filter that is none", (rows: Buffer) => rows.fill(9, 121, 122), "cut short or corrupt"],
  ])("%s is refused", async (_what, change, expected) => {
    const picture = await openPicture(filtered(40, 23, 3)(change), "bad.png");
    await expect(picture.pixels()).rejects.toMatchObject({
      reason: "bad-input",
      message: expect.stringContaining(expected),
    });
  });
});

test("the body of a PNG, whose checksums are known, is not read again; that of a JPEG is", async () => {
  const create = { width: 8, height: 8, channels: 3, background: "red" } as const;
  for (const format of ["png", "jpeg"] as const) {
    const picture = await openPicture(await sharp({ create }).toFormat(format).toBuffer());
    let reads = 0;
    const watched = {
      ...picture,
      get bytes() {
        reads++;
        return picture.bytes;
      },
    };
    await checkBody(watched, "a.png");
    expect(reads).toBe(format === "png" ? 0 : 1);
  }
});
