import { promisify } from "node:util";
import { crc32, inflate } from "node:zlib";
import type { Pixels } from "../core/models.js";
import { giveBack, takeBytes } from "../files/regular-file.js";

const signatureBytes = 8;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Deflate's shortest code for its longest repetition is two bits, for 258 bytes. */
const mostOfByte = 1032;

/**
 * Finds a fault in a PNG's chunks, by its own checksums, and a header that claims more pixels than its data could ever
 * unpack to; `undefined` where there is none. A decoder that goes on all the same guesses what it shows.
 */
export function pngProblem(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let [claimed, packed] = [0, 0];
  for (let at = signatureBytes; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) break;
    const type = file.toString("latin1", at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) {
      return `the checksum of its ${/^[a-zA-Z]{4}$/.test(type) ? type : "unnamed"} chunk is wrong`;
    }
    if (type === "IHDR" && length === 13) claimed = bytesOf(file.subarray(at + 8));
    if (type === "IDAT") packed += length;
    if (type === "IEND") {
      const isMore = claimed > mostOfByte * packed;
      return isMore ? "it holds fewer pixels than its header says" : undefined;
    }
    at = end;
  }
  return "the file is cut short or corrupt";
}

/**
 * Whether a PNG without `pngProblem` holds another number of pixels than its header says. Too few
 * are found by whoever decodes it; too many would be left out in silence.
 */
export async function pngSizeProblem(bytes: Uint8Array): Promise<string | undefined> {
  const chunks = chunksOf(bytes);
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header === undefined || header.length < 13) return undefined;
  try {
    await unpacked(chunks, bytesOf(header));
    return undefined;
  } catch (error) {
    const isMore =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isMore ? "it holds more pixels than its header says" : undefined;
  }
}

/** What its IDAT chunks hold. @throws where it is corrupt, or more than so many bytes */
async function unpacked(chunks: readonly Chunk[], most: number): Promise<Buffer> {
  const parts = chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : []));
  const packed = takeBytes(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(packed, end);
  // One byte more than is wanted, or Node takes a second buffer for nothing.
  const chunkSize = Math.max(64, most + 1);
  return promisify(inflate)(packed, { maxOutputLength: most, chunkSize }).finally(() =>
    giveBack(packed),
  );
}

/** Chunks that say nothing of how pixels are shown, or the orientation alone (eXIf). */
const plainChunks = new Set(
  "IHDR PLTE IDAT IEND sRGB pHYs tIME tEXt zTXt iTXt bKGD sBIT hIST eXIf".split(" "),
);

/** Whether a PNG has no gamma, profile, transparency or animation, of which decoders make different things. */
export const isPlainPng = (bytes: Uint8Array): boolean =>
  chunksOf(bytes).every(({ type }) => plainChunks.has(type));

/** A PNG as most are: plain, upright, RGB of 8 bits, its rows one after another. */
interface UsualPng {
  readonly format: "png";
  readonly mediaType: "image/png";
  readonly isPlain: true;
  readonly width: number;
  readonly height: number;
  readonly chunks: readonly Chunk[];
}

/** The header of a usual PNG, whose checksums are for `pngProblem`; undefined for all others. */
export function usualPng(bytes: Uint8Array): UsualPng | undefined {
  const chunks = chunksOf(bytes);
  const { type, data: header } = chunks[0] ?? {};
  if (type !== "IHDR" || header?.length !== 13) return undefined;
  const kinds = chunks.map((chunk) => chunk.type).join(" ");
  if (header.toString("hex", 8) !== usualKind || !usualOrder.test(kinds)) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width === 0 || height === 0) return undefined;
  const facts = { format: "png", mediaType: "image/png", isPlain: true } as const;
  return { ...facts, width, height, chunks };
}

/** Depth, colour type, compression, filters and interlace in hexadecimal digits. */
const usualKind = "0802000000";
const usualOrder =
  /^IHDR( (sRGB|pHYs|tIME|tEXt|zTXt|iTXt|bKGD|sBIT))*( IDAT)+( (tIME|tEXt|zTXt|iTXt))* IEND$/;

/** Pixels of a usual PNG, unpacked once; undefined where it is corrupt or holds more or fewer, which others tell apart. */
export async function usualPixels({
  width,
  height,
  chunks,
}: UsualPng): Promise<Pixels | undefined> {
  const most = height * (1 + width * 3);
  const rows = await unpacked(chunks, most).catch(() => undefined);
  if (rows?.length !== most || !unfilter(rows, width * 3)) return undefined;
  return { width, height, data: rows.subarray(0, width * height * 3) };
}

/**
 * Undoes the filters of rows of RGB (Portable Network Graphics, 3rd edition, section 9), in place, and moves each row over
 * the bytes that name the filters before it.
 *
 * @returns whether all filters are known
 */
function unfilter(bytes: Buffer, row: number): boolean {
  // Above the first row there are zeros.
  let above: Buffer = Buffer.alloc(row);
  for (let from = 0, to = 0; from < bytes.length; from += row + 1, to += row) {
    const filter = bytes[from] ?? 0;
    bytes.copyWithin(to, from + 1, from + 1 + row);
    const line = bytes.subarray(to, to + row);
    if (filter > 4) return false;
    if (filter === 1) unfilterSub(line);
    if (filter === 2) unfilterUp(line, above);
    if (filter === 3) unfilterAverage(line, above);
    if (filter === 4) unfilterPaeth(line, above);
    above = line;
  }
  return true;
}

// A loop for each filter, with the channels side by side, takes half the time of one for all.

function unfilterSub(line: Buffer): void {
  let [r, g, b] = [0, 0, 0];
  for (let at = 0; at < line.length; at += 3) {
    line[at] = r = (r + (line[at] ?? 0)) & 255;
    line[at + 1] = g = (g + (line[at + 1] ?? 0)) & 255;
    line[at + 2] = b = (b + (line[at + 2] ?? 0)) & 255;
  }
}

function unfilterUp(line: Buffer, above: Buffer): void {
  for (let at = 0; at < line.length; at += 3) {
    line[at] = (line[at] ?? 0) + (above[at] ?? 0);
    line[at + 1] = (line[at + 1] ?? 0) + (above[at + 1] ?? 0);
    line[at + 2] = (line[at + 2] ?? 0) + (above[at + 2] ?? 0);
  }
}

function unfilterAverage(line: Buffer, above: Buffer): void {
  let [r, g, b] = [0, 0, 0];
  for (let at = 0; at < line.length; at += 3) {
    line[at] = r = ((line[at] ?? 0) + ((r + (above[at] ?? 0)) >> 1)) & 255;
    line[at + 1] = g = ((line[at + 1] ?? 0) + ((g + (above[at + 1] ?? 0)) >> 1)) & 255;
    line[at + 2] = b = ((line[at + 2] ?? 0) + ((b + (above[at + 2] ?? 0)) >> 1)) & 255;
  }
}

function unfilterPaeth(line: Buffer, above: Buffer): void {
  let [r, g, b] = [0, 0, 0];
  let [cornerR, cornerG, cornerB] = [0, 0, 0];
  for (let at = 0; at < line.length; at += 3) {
    const [aboveR, aboveG, aboveB] = [above[at] ?? 0, above[at + 1] ?? 0, above[at + 2] ?? 0];
    line[at] = r = ((line[at] ?? 0) + paeth(r, aboveR, cornerR)) & 255;
    line[at + 1] = g = ((line[at + 1] ?? 0) + paeth(g, aboveG, cornerG)) & 255;
    line[at + 2] = b = ((line[at + 2] ?? 0) + paeth(b, aboveB, cornerB)) & 255;
    [cornerR, cornerG, cornerB] = [aboveR, aboveG, aboveB];
  }
}

/** Whichever of the three is nearest to left + above - corner; without a branch, which noise makes a processor guess. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  const isNotLeft = ((toAbove - toLeft) | (toCorner - toLeft)) >> 31;
  const isCorner = (toCorner - toAbove) >> 31;
  return left ^ ((left ^ above ^ ((above ^ corner) & isCorner)) & isNotLeft);
}

function chunksOf(bytes: Uint8Array): Chunk[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks: Chunk[] = [];
  for (let at = signatureBytes; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    chunks.push({
      type: file.toString("latin1", at + 4, at + 8),
      data: file.subarray(at + 8, end - 4),
    });
    at = end;
  }
  return chunks;
}

/** Samples a pixel, by colour type: grey, -, RGB, palette, grey and alpha, -, RGBA. */
const samples = [1, 0, 3, 1, 2, 0, 4];

/** Column and row at which each pass of Adam7 begins, and its steps. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Bytes that the pixels take, unpacked: each row of each pass after the byte of its filter. */
function bytesOf(header: Buffer): number {
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const bits = header.readUInt8(8) * (samples[header.readUInt8(9)] ?? 0);
  const passes = header.readUInt8(12) === 1 ? adam7 : [[0, 0, 1, 1] as const];
  let sum = 0;
  for (const [left, top, across, down] of passes) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns > 0 && rows > 0) sum += rows * (1 + Math.ceil((columns * bits) / 8));
  }
  return sum;
}
