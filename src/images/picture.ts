import type { Metadata, Sharp } from "sharp";
import type { Picture, Pixels } from "../core/models.js";
import { countText } from "../core/phrases.js";
import { NoAnswer } from "../core/unscored.js";
import { sha256 } from "../files/blobs/blob-address.js";
import { kindOf } from "../tables/other-kinds.js";
import { gifPlaces, gifSizeProblem } from "./gif-file.js";
import { loadSharp } from "./load-sharp.js";
import { isPlainPng, pngProblem, pngSizeProblem, usualPixels, usualPng } from "./png-file.js";
import { mostPixels, openShown } from "./shown-image.js";
import { unreadTiff } from "./tiff-file.js";

// Vector and document formats may refer to fonts, files and addresses; a photograph needs none.
const readableFormats = ["png", "jpeg", "webp", "gif", "tiff", "heif"];

/**
 * Opens an encoded image (PNG, JPEG, WebP, GIF, TIFF, AVIF; of several frames, the first, on its
 * canvas). Only the header is read here; the pixels are decoded when first asked for, turned upright
 * as browsers do (`openShown`), converted to sRGB by the image's profile, flattened on white, and
 * then kept.
 *
 * @param name what to call the image in messages, such as its path
 * @throws NoAnswer "bad-input", here for what the header shows (nothing, no image, a kind that is
 *   not read, too many pixels, a wrong checksum, a frame beyond its canvas), from `pixels()` for what decoding
 *   shows (cut short, corrupt, other pixels than the header says).
 * @example (await openPicture(await readFile("cat.png"), "cat.png")).width
 */
export async function openPicture(bytes: Uint8Array, name = "the image"): Promise<Picture> {
  const header = await readHeader(bytes, name);
  let decoded: Promise<Pixels> | undefined;
  return {
    hash: sha256(bytes),
    bytes,
    ...header,
    pixels() {
      decoded ??= decode(bytes, name);
      return decoded;
    },
  };
}

/** Whether files are plain, as their headers said when they were opened; see `isPlain`. */
const plainness = new WeakMap<Uint8Array, boolean>();

/**
 * Whether every decoder shows the file of a picture as `pixels()` has it: a JPEG or PNG that stands upright, opaque, of
 * 8 bits, in RGB or grey, without a profile or a gamma.
 */
export async function isPlain({ bytes, mediaType }: Picture): Promise<boolean> {
  const known = plainness.get(bytes);
  if (known !== undefined) return known;
  if (mediaType !== "image/jpeg" && mediaType !== "image/png") return false;
  const sharp = await loadSharp();
  const header = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  return header !== undefined && isPlainHeader(header, bytes);
}

function isPlainHeader(header: Metadata, bytes: Uint8Array): boolean {
  const { format, orientation = 1, hasAlpha, hasProfile, space, depth } = header;
  const isUsual = orientation === 1 && !hasAlpha && !hasProfile && depth === "uchar";
  return isUsual && (format === "jpeg" ? space !== "cmyk" : format === "png" && isPlainPng(bytes));
}

async function readHeader(bytes: Uint8Array, name: string) {
  if (bytes.length === 0) throw badImage(name, "it is empty (0 bytes)");
  const unread = isJpeg(bytes) ? unreadJpeg(bytes) : isTiff(bytes) ? unreadTiff(bytes) : undefined;
  if (unread !== undefined) throw badImage(name, notRead(unread));
  const header = (isPng(bytes) && usualPng(bytes)) || (await libraryHeader(bytes, name));
  const { width, height, isPlain, format, mediaType } = header;
  if (width * height > mostPixels) {
    throw badImage(
      name,
      `its header says ${width} x ${height} pixels, and more than ` +
        `${countText(mostPixels)} are not decoded`,
    );
  }
  const lie = headerProblem(bytes, format);
  if (lie !== undefined) throw badImage(name, lie);
  plainness.set(bytes, isPlain);
  return { mediaType, width, height };
}

async function libraryHeader(bytes: Uint8Array, name: string) {
  const sharp = await loadSharp();
  // No pixel is decoded for a header, and the size is checked where it can be told.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw badImage(name, reasonOf(cause, bytes), cause);
    });
  const { format, mediaType = `image/${format}` } = header;
  if (!readableFormats.includes(format)) throw badImage(name, notRead(format.toUpperCase()));
  const turned = format === "webp" ? header : header.autoOrient;
  const { width, height } = gifPlaces(bytes)?.canvas ?? turned;
  return { format, mediaType, width, height, isPlain: isPlainHeader(header, bytes) };
}

/** Pixels of an encoded image as `openPicture` gives them. @throws NoAnswer "bad-input" */
export async function decode(bytes: Uint8Array, name: string): Promise<Pixels> {
  const usual = isPng(bytes) ? usualPng(bytes) : undefined;
  const pixels = usual && (await usualPixels(usual));
  if (pixels !== undefined) return pixels;
  const { data, info } = await carefully(bytes, (image) =>
    image
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true }),
  ).catch((cause: unknown) => {
    throw badImage(name, reasonOf(cause, bytes), cause);
  });
  return { width: info.width, height: info.height, data };
}

/** Red, green, blue and alpha, each 0 to `most`: as the file has them. */
export interface ExactPixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
  readonly most: 255 | 65535;
}

/**
 * Decodes an image that `openPicture` opened without mixing its transparency into its colours, without
 * converting them by its profile, and with all 16 bits where it has them.
 *
 * @throws NoAnswer "bad-input" where it is cut short or corrupt.
 */
export async function exactPixels(bytes: Uint8Array, name: string): Promise<ExactPixels> {
  const read = async () => {
    const sharp = await loadSharp();
    const isFine = (await sharp(bytes).metadata()).depth === "ushort";
    const { data, info } = await carefully(
      bytes,
      (image) =>
        (isFine
          ? image.pipelineColourspace("rgb16").toColourspace("rgb16")
          : image.toColourspace("srgb")
        )
          .ensureAlpha()
          .raw({ depth: isFine ? "ushort" : "uchar" })
          .toBuffer({ resolveWithObject: true }),
      { ignoreIcc: true },
    );
    const size = { width: info.width, height: info.height };
    if (!isFine) return { ...size, data, most: 255 } as const;
    // A buffer may begin at an odd byte, where no 16-bit number can.
    return { ...size, data: new Uint16Array(Uint8Array.from(data).buffer), most: 65535 } as const;
  };
  return read().catch((cause: unknown) => {
    throw badImage(name, reasonOf(cause, bytes), cause);
  });
}

/**
 * Checks what decoders pass over in the body of a plain picture's file, where they guess pixels, without decoding all of
 * it: of a JPEG its entropy-coded data. The checksums of a PNG were checked when it was opened.
 *
 * @throws NoAnswer "bad-input" where it is cut short or corrupt.
 */
export async function checkBody(picture: Picture, name: string): Promise<void> {
  const { mediaType, width } = picture;
  if (mediaType !== "image/jpeg") return;
  const { bytes } = picture;
  // At an eighth libjpeg reads all codes and transforms an eighth of the blocks.
  const shrunk = (image: Sharp) =>
    image
      .resize({ width: Math.ceil(width / 8) })
      .raw()
      .toBuffer();
  await carefully(bytes, shrunk).catch((cause: unknown) => {
    throw badImage(name, reasonOf(cause, bytes), cause);
  });
}

/** Finds a fault that a decoder would pass over, guessing pixels or leaving some out. */
function headerProblem(bytes: Uint8Array, format: string): string | undefined {
  if (format === "png") return pngProblem(bytes);
  return format === "gif" ? gifSizeProblem(bytes) : undefined;
}

/** libjpeg goes on where data are missing or damaged, with grey; of bytes too many it only tells. */
const guessed = /corrupt jpeg data: (?!\d+ extraneous)|premature end|huffman/i;

/**
 * Decodes by `read`, upright, and fails where pixels would be guessed or left out; sharp alone fails
 * only where a file is cut short.
 */
async function carefully<Result>(
  bytes: Uint8Array,
  read: (image: Sharp) => Promise<Result>,
  options: { readonly ignoreIcc?: boolean } = {},
): Promise<Result> {
  const problem = isPng(bytes) ? await pngSizeProblem(bytes) : undefined;
  if (problem !== undefined) throw new Error(problem);
  // libtiff tells of damage, and goes on, below the level at which a file is cut short.
  if (!isJpeg(bytes)) {
    return read(
      await openShown(bytes, { ...options, failOn: isTiff(bytes) ? "error" : "truncated" }),
    );
  }
  try {
    return await read(await openShown(bytes, { ...options, failOn: "warning" }));
  } catch (cause) {
    if (guessed.test(String(cause))) throw cause;
    return read(await openShown(bytes, options));
  }
}

const isPng = (bytes: Uint8Array) => bytes[0] === 0x89 && bytes[1] === 0x50;
const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8;
const isTiff = (bytes: Uint8Array) =>
  bytes[0] === bytes[1] && (bytes[0] === 0x49 || bytes[0] === 0x4d);

const cutShort = "the file is cut short or corrupt";

/** libvips says where in its own code it failed; what a person needs is what ails the file. */
function reasonOf(cause: unknown, bytes: Uint8Array): string {
  const format = unreadFormat(bytes);
  if (format !== undefined) return notRead(format);
  const other = kindOf(bytes);
  if (other !== undefined) return `it is ${other.what}. ${other.hint}`;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/unsupported image format/i.test(message)) {
    return isPng(bytes) || isJpeg(bytes) || isTiff(bytes)
      ? cutShort
      : "it is not an image in a known format";
  }
  if (
    /read error|premature end|unexpected end|corrupt|truncated|unable to parse|tiff2vips/i.test(
      message,
    )
  ) {
    return cutShort;
  }
  return message.split("\n")[0] ?? message;
}

const notRead = (format: string) =>
  `${format} is not read, but PNG, JPEG, WebP, AVIF, GIF and usual TIFF are; convert it, for ` +
  "example by: magick FILE -depth 8 out.png";

const badImage = (name: string, why: string, cause?: unknown) =>
  new NoAnswer("bad-input", `Can't read ${name}: ${why}`, { cause });

/** Common formats that are not read, with the pattern their files begin with. */
const beginnings: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["HEIC", /^.{4}ftyp(hei[cmsx]|hev[cmsx]|m[is]f1.{4,48}hei[cx])/s],
  ["Animated AVIF", /^.{4}ftypavis/s],
  ["JPEG XL", /^(\xff[\n]|.{4}JXL )/s],
  ["JPEG 2000", /^.{4}jP {2}/s],
  ["BMP", /^BM/],
  ["PSD", /^8BPS/],
  ["PDF", /^%PDF/],
  ["PNM", /^P[1-7]\s/],
  ["OpenEXR", /^v\/1[^ -~]/],
  ["Radiance HDR", /^#\?R/],
  ["JPEG XR", /^II\xbc/],
  ["QOI", /^qoif/],
  ["DDS", /^DDS /],
  ["ICNS", /^icns/],
  ["FITS", /^SIMPLE {2}=/],
  ["XCF", /^gimp xcf/],
];

/** The same in hexadecimal digits. */
const hexBeginnings: typeof beginnings = [
  ["ICO", /^00000[12]00(?!00)..00/],
  ["SGI", /^01da0[01]0[12]/],
  ["PCX", /^0a0[02-5]010[1248]/],
  // It has no mark: a kind, and behind the sizes the bits of a pixel.
  ["TGA", /^..0[01]0[1-39ab].{26}(08|0f|10|18|20)/],
];

/** Returns the name of a format that is not read, by a file's first bytes. */
function unreadFormat(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 64));
  const isOf = (text: string) => (each: (typeof beginnings)[number]) => each[1].test(text);
  const found =
    beginnings.find(isOf(start.toString("latin1"))) ??
    hexBeginnings.find(isOf(start.toString("hex")));
  return found?.[0];
}

/** Names a kind of JPEG that is not read, as its frame header tells it; `undefined` for the usual ones. */
function unreadJpeg(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; ) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xf7) return "JPEG-LS";
    if (isFrame(marker)) {
      const bits = file.readUInt8(at + 4);
      if (marker % 4 === 3) return "Lossless JPEG";
      return bits === 8 ? undefined : `${bits}-bit JPEG`;
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The start of a frame; three markers among them define tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
