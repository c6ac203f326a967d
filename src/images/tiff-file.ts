/** Tags of TIFF 6.0. */
const tag = {
  bits: 258,
  compression: 259,
  colours: 262,
  samples: 277,
  inks: 332,
  extra: 338,
  format: 339,
} as const;

/** Compressions that are decoded: none, fax, LZW, JPEG, deflate, PackBits, WebP. */
const readCompressions = new Set([1, 2, 3, 4, 5, 7, 8, 32773, 32946, 50001]);
const compressionNames: Readonly<Record<number, string>> = {
  6: "old-style JPEG",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  34933: "PNG",
  50000: "Zstandard",
  50002: "JPEG XL",
};

/** Samples of each kind of colours, and how many bits they may have. */
const readColours: Readonly<Record<number, { samples: number; bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  1: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  5: { samples: 4, bits: [8, 16] },
  6: { samples: 3, bits: [8] },
};
const colourNames: Readonly<Record<number, string>> = {
  4: "a transparency mask",
  8: "Lab colours",
  9: "Lab colours",
  10: "Lab colours",
  32803: "a sensor's raw colours",
  32844: "LogL light",
  32845: "LogLuv colours",
  34892: "a sensor's raw colours",
  51177: "depths",
};
const jpeg = 7;
const ycbcr = 6;
const separated = 5;
const undefinedFormat = 4;

/**
 * Names a kind of TIFF that is not read, by the tags of its first image; `undefined` for the usual
 * ones, and where the tags can't be read. Decoders show other pixels of some of these.
 */
export function unreadTiff(bytes: Uint8Array): string | undefined {
  const tags = firstTags(bytes);
  if (tags === undefined) return undefined;
  const [compression = 1] = tags.get(tag.compression) ?? [];
  if (!readCompressions.has(compression)) {
    return `TIFF with ${compressionNames[compression] ?? `compression ${compression}`}`;
  }
  const [colours = 1] = tags.get(tag.colours) ?? [];
  const read = readColours[colours];
  if (read === undefined) return `TIFF of ${colourNames[colours] ?? `colours ${colours}`}`;
  if (colours === ycbcr && compression !== jpeg) return "TIFF of YCbCr colours without JPEG";
  const format = (tags.get(tag.format) ?? []).find((one) => one !== 1 && one !== undefinedFormat);
  if (format !== undefined) return `TIFF of ${formatNames[format] ?? "unnamed"} samples`;
  const bits = tags.get(tag.bits) ?? [1];
  const odd = bits.find((one) => one !== bits[0]) ?? bits.find((one) => !read.bits.includes(one));
  if (odd !== undefined) return `TIFF of ${odd}-bit samples`;
  const extra = tags.get(tag.extra) ?? [];
  const [samples = 1] = tags.get(tag.samples) ?? [];
  const isWithAlpha = colours !== separated && extra.length === 1 && isAlpha(extra[0]);
  if (samples !== read.samples + (isWithAlpha ? 1 : 0)) {
    return `TIFF with ${samples} planes (its colours have ${read.samples}, alpha apart)`;
  }
  const [inks = 1] = tags.get(tag.inks) ?? [];
  return colours === separated && inks !== 1 ? "TIFF of inks other than CMYK" : undefined;
}

const formatNames: Readonly<Record<number, string>> = {
  2: "signed",
  3: "floating-point",
  5: "complex",
  6: "complex",
};

const isAlpha = (kind: number | undefined) => kind === 1 || kind === 2;

/** The whole numbers of each tag in the first directory, of a TIFF or a BigTIFF. */
function firstTags(bytes: Uint8Array): Map<number, number[]> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const little = view.getUint16(0) === 0x4949;
    const isBig = view.getUint16(2, little) === 43;
    const long = (at: number) =>
      isBig ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
    const start = long(isBig ? 8 : 4);
    const count = isBig ? long(start) : view.getUint16(start, little);
    const entryBytes = isBig ? 20 : 12;
    const tags = new Map<number, number[]>();
    for (let index = 0; index < count; index++) {
      const entry = start + (isBig ? 8 : 2) + index * entryBytes;
      const values = long(entry + 4);
      const type = view.getUint16(entry + 2, little);
      if ((type !== 3 && type !== 4) || values > mostValues) continue;
      const size = type === 3 ? 2 : 4;
      const place = entry + (isBig ? 12 : 8);
      const at = values * size <= (isBig ? 8 : 4) ? place : long(place);
      const numbers = Array.from({ length: values }, (_, each) =>
        size === 2 ? view.getUint16(at + each * 2, little) : view.getUint32(at + each * 4, little),
      );
      tags.set(view.getUint16(entry, little), numbers);
    }
    return tags;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The tags that are looked at have a number for each sample; offsets of strips may be many. */
const mostValues = 64;
