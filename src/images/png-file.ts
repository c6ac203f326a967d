import { promisify } from "node:util";
import { crc32, inflate } from "node:zlib";

const signatureBytes = 8;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/**
 * Finds a fault in a PNG's chunks, by its own checksums; `undefined` where there is none. A
 * decoder that goes on all the same guesses what it shows.
 */
export function pngProblem(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = signatureBytes; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    const type = file.toString("latin1", at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) {
      return `the checksum of its ${/^[a-zA-Z]{4}$/.test(type) ? type : "unnamed"} chunk is wrong`;
    }
    if (type === "IEND") return undefined;
    at = end;
  }
  return "the file is cut short or corrupt";
}

/**
 * Whether a PNG without `pngProblem` holds another number of pixels than its header says. Too few
 * are found by whoever decodes it; too many would be left out in silence.
 */
export async function pngSizeProblem(bytes: Uint8Array): Promise<string | undefined> {
  const chunks = chunksOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header === undefined || header.length < 13) return undefined;
  const packed = Buffer.concat(
    chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data),
  );
  const maxOutputLength = bytesOf(header);
  // Node hands 16 KiB at a time from its thread to ours, which takes a third of the time for a photograph.
  const chunkSize = Math.max(64, Math.min(maxOutputLength, 2 ** 18));
  try {
    await promisify(inflate)(packed, { maxOutputLength, chunkSize });
    return undefined;
  } catch (error) {
    const isMore =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isMore ? "it holds more pixels than its header says" : undefined;
  }
}

/** Chunks that say nothing of how pixels are shown, or the orientation alone (eXIf). */
const plainChunks = new Set(
  "IHDR PLTE IDAT IEND sRGB pHYs tIME tEXt zTXt iTXt bKGD sBIT hIST eXIf".split(" "),
);

/** Whether a PNG has no gamma, profile, transparency or animation, of which decoders make different things. */
export const isPlainPng = (bytes: Uint8Array): boolean =>
  chunksOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).every(({ type }) =>
    plainChunks.has(type),
  );

function chunksOf(file: Buffer): Chunk[] {
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
