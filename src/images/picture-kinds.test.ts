import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { withChunk } from "../../test/support/odd-images.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "./picture.js";

interface Tiff {
  readonly colours?: number;
  readonly compression?: number;
  readonly bits?: number;
  readonly samples?: number;
  readonly format?: number;
  readonly extra?: readonly number[];
  readonly inks?: number;
  readonly bytes?: readonly number[];
}

/** A TIFF of 2 x 1 pixels, little-endian, with one strip. */
function tiff({
  colours = 2,
  compression = 1,
  bits = 8,
  samples = 3,
  format = 1,
  extra = [],
  inks,
  bytes = [255, 0, 0, 0, 0, 255],
}: Tiff): Uint8Array {
  const entries: [tag: number, values: readonly number[]][] = [
    [256, [2]],
    [257, [1]],
    [258, Array.from({ length: samples }, () => bits)],
    [259, [compression]],
    [262, [colours]],
    [273, [8]],
    [277, [samples]],
    [278, [1]],
    [279, [bytes.length]],
    ...(inks === undefined ? [] : [[332, [inks]] as [number, number[]]]),
    ...(extra.length === 0 ? [] : [[338, extra] as [number, readonly number[]]]),
    [339, Array.from({ length: samples }, () => format)],
  ];
  const start = 8 + bytes.length + (bytes.length % 2);
  const file = Buffer.alloc(start + 6 + entries.length * 12 + 200);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(start, 4);
  file.set(bytes, 8);
  file.writeUInt16LE(entries.length, start);
  let beyond = start + 6 + entries.length * 12;
  for (const [index, [tag, values]] of entries.entries()) {
    const at = start + 2 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(3, at + 2);
    file.writeUInt32LE(values.length, at + 4);
    const isFar = values.length > 2;
    if (isFar) file.writeUInt32LE(beyond, at + 8);
    for (const [each, value] of values.entries()) {
      file.writeUInt16LE(value, (isFar ? beyond : at + 8) + each * 2);
    }
    if (isFar) beyond += values.length * 2;
  }
  return file;
}

const shown = async (bytes: Uint8Array) => [
  ...(await (await openPicture(bytes, "made")).pixels()).data,
];

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await shown(bytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoAnswer);
  return (error as NoAnswer).message;
}

describe("TIFFs", () => {
  test.each<[string, Tiff, number[]]>([
    ["RGB", {}, [255, 0, 0, 0, 0, 255]],
    ["RGB of undefined format", { format: 4 }, [255, 0, 0, 0, 0, 255]],
    ["grey", { colours: 1, samples: 1, bytes: [7, 200] }, [7, 7, 7, 200, 200, 200]],
    [
      "grey, white at 0",
      { colours: 0, samples: 1, bytes: [7, 55] },
      [248, 248, 248, 200, 200, 200],
    ],
    [
      "RGB with alpha",
      { samples: 4, extra: [2], bytes: [9, 9, 9, 255, 9, 9, 9, 0] },
      [9, 9, 9, 255, 255, 255],
    ],
    [
      "CMYK, without a profile",
      { colours: 5, samples: 4, bytes: [255, 0, 0, 0, 51, 0, 102, 128] },
      [0, 255, 255, 102, 127, 76],
    ],
    [
      "CMYK of 16 bits",
      {
        colours: 5,
        samples: 4,
        bits: 16,
        bytes: [255, 255, 0, 0, 0, 0, 0, 0, 51, 51, 0, 0, 102, 102, 128, 128],
      },
      [0, 255, 255, 102, 127, 76],
    ],
  ])("%s shows its pixels", async (_kind, made, pixels) => {
    expect(await shown(tiff(made))).toEqual(pixels);
  });

  test.each<[string, Tiff]>([
    ["YCbCr", { colours: 6 }],
    ["signed", { format: 2 }],
    ["floating-point", { format: 3, bits: 32, bytes: Array(24).fill(0) }],
    ["LZMA", { compression: 34925 }],
    ["Zstandard", { compression: 50000 }],
    ["old-style JPEG", { compression: 6 }],
    ["compression 12345", { compression: 12345 }],
    ["4 planes", { samples: 4, extra: [0], bytes: Array(8).fill(9) }],
    ["5 planes", { samples: 5, extra: [2, 0], bytes: Array(10).fill(9) }],
    ["5 planes", { colours: 5, samples: 5, bytes: Array(10).fill(9) }],
    ["inks other than CMYK", { colours: 5, samples: 4, inks: 2, bytes: Array(8).fill(9) }],
    ["Lab", { colours: 8 }],
    ["12-bit", { bits: 12, bytes: Array(9).fill(0) }],
    ["32-bit", { colours: 1, samples: 1, bits: 32, bytes: Array(8).fill(0) }],
  ])("%s is refused by name, and as no damage", async (name, made) => {
    const message = await refusal(tiff(made));
    expect(message).toContain(name);
    expect(message).not.toContain("corrupt");
  });

  test("one of unusable deflated data is corrupt", async () => {
    expect(await refusal(tiff({ compression: 8, bytes: [0x78, 0x9c, 1, 2, 3, 4] }))).toContain(
      "corrupt",
    );
  });
});

test.each([
  ["12-bit JPEG", 0xc1, 12],
  ["Lossless JPEG", 0xc3, 8],
  ["JPEG-LS", 0xf7, 8],
])("a %s is refused by name", async (name, marker, bits) => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes[at + 1] = marker;
  bytes[at + 4] = bits;
  const message = await refusal(bytes);
  expect(message).toContain(name);
  expect(message).not.toContain("corrupt");
});

test.each([
  ["Animated AVIF", "\0\0\0 ftypavis"],
  ["OpenEXR", "v/1\x01\x02\0\0\0"],
  ["Radiance HDR", "#?RADIANCE\n"],
  ["PNM", "P6\n1 1\n255\n"],
  ["JPEG XR", "II\xbc\x01"],
  ["QOI", "qoif\0\0"],
  // As Pillow writes an image of 8 x 8.
  ["ICO", "\0\0\x01\0\x01\0\x08\x08\0\0\0\0\x20\0"],
  ["TGA", "\0\0\x02\0\0\0\0\0\0\0\0\0\x08\0\x08\0\x18\x20"],
  ["PCX", "\n\x05\x01\x08\0\0\0\0\x07\0\x07\0"],
  ["SGI", "\x01\xda\0\x01\0\x03\0\x08\0\x08\0\x03"],
  ["ICNS", "icns\0\0\x01\0"],
  ["DDS", "DDS \x7c\0\0\0"],
  ["Git LFS", "version https://git-lfs.github.com/spec/v1\n"],
  ["HTML", "<!DOCTYPE html><html>"],
])("a file of %s is refused by name", async (name, start) => {
  expect(await refusal(Buffer.from(start.padEnd(64, "\0"), "latin1"))).toContain(name);
});

test("a TIFF whose directory is cut off is no unknown format, but cut short", async () => {
  expect(await refusal(tiff({}).subarray(0, 12))).toContain("cut short");
});

/** An ICC profile of linear grey. */
function linearGrey(): Buffer {
  const tags: readonly (readonly [string, string])[] = [
    ["cprt", "7465787400000000780000000"],
    ["desc", `6465736300000000${"00000001".padEnd(164, "0")}`],
    ["kTRC", "63757276000000000000000101000000"],
    ["wtpt", "58595a20000000000000f6d6000100000000d32d"],
  ];
  const start = 132 + 12 * tags.length;
  const bodies = tags.map(([, hex]) =>
    Buffer.from(hex.padEnd(Math.ceil(hex.length / 8) * 8, "0"), "hex"),
  );
  const file = Buffer.concat([Buffer.alloc(start), ...bodies]);
  file.writeUInt32BE(file.length, 0);
  file.writeUInt32BE(0x02_40_00_00, 8);
  file.write("mntrGRAYXYZ ", 12, "latin1");
  file.write("acsp", 36, "latin1");
  for (const [at, value] of [0xf6d6, 0x10000, 0xd32d].entries())
    file.writeUInt32BE(value, 68 + 4 * at);
  file.writeUInt32BE(tags.length, 128);
  for (const [index, [name]] of tags.entries()) {
    const at = 132 + 12 * index;
    const before = bodies.slice(0, index).reduce((sum, { length }) => sum + length, 0);
    file.write(name, at, "latin1");
    file.writeUInt32BE(start + before, at + 4);
    file.writeUInt32BE(bodies[index]?.length ?? 0, at + 8);
  }
  return file;
}

async function wideGamut(): Promise<Buffer> {
  const made = sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } });
  const { icc } = await sharp(await made.withIccProfile("p3").png().toBuffer()).metadata();
  return icc ?? Buffer.alloc(0);
}

test.each<[string, Buffer, "rgb16" | "grey16", readonly number[], readonly number[]]>([
  ["Display P3", await wideGamut(), "rgb16", [110, 238, 161], [0, 242, 153]],
  ["linear grey", linearGrey(), "grey16", [127, 127, 127], [187, 187, 187]],
])(
  "a PNG of %s is converted by its profile, of 16 bits as of 8",
  async (_, icc, fine, file, seen) => {
    const data = Uint8Array.from(file);
    const made = sharp(data, { raw: { width: 1, height: 1, channels: 3 } });
    const profile = Buffer.concat([Buffer.from("p\0\0"), deflateSync(icc)]);
    for (const space of [fine === "rgb16" ? "srgb" : "b-w", fine]) {
      const png = await made.clone().toColourspace(space).png().toBuffer();
      const pixel = await shown(withChunk(png, "iCCP", profile));
      const off = pixel.map((level, at) => Math.abs(level - (seen[at] ?? 0)));
      expect([space, Math.max(...off) <= 2]).toEqual([space, true]);
    }
  },
);

test("a JPEG of CMYK without a profile has the colours of its inks", async () => {
  const inks = tiff({ colours: 5, samples: 4, bytes: [0, 255, 255, 51, 0, 255, 255, 51] });
  const bytes = await sharp(inks)
    .pipelineColourspace("cmyk")
    .toColourspace("cmyk")
    .jpeg({ quality: 100 })
    .toBuffer();
  const [red = 0, green = 99, blue = 99] = await shown(bytes);
  expect(Math.abs(red - 204)).toBeLessThan(3);
  expect(Math.max(green, blue)).toBeLessThan(3);
});
