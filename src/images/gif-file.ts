/**
 * Finds a fault in a GIF's size, as far as its first frame tells; `undefined` where it says
 * nothing wrong, or is cut short, which whoever decodes it finds. The first frame must fill the
 * canvas, and its packed pixels must be as many as it has: decoders show the rest as they please.
 */
export function gifSizeProblem(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const canvas = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
    const at = firstFrame(file);
    if (at === undefined) return undefined;
    const [left, top, width, height] = [1, 3, 5, 7].map((offset) => file.readUInt16LE(at + offset));
    if (left !== 0 || top !== 0 || width !== canvas.width || height !== canvas.height) {
      return (
        `its header says ${canvas.width} x ${canvas.height} pixels, its first frame has ` +
        `${width} x ${height} at (${left}, ${top})`
      );
    }
    const flags = file.readUInt8(at + 9);
    const data = at + 10 + tableBytes(flags);
    const found = packedPixels(blocksAt(file, data + 1), file.readUInt8(data));
    const said = width * height;
    return found === said
      ? undefined
      : `its header says ${said} pixels, its first frame holds ${found}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Bytes of the table of colours that a flag byte announces. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where the first image descriptor stands. */
function firstFrame(file: Buffer): number | undefined {
  for (let at = 13 + tableBytes(file.readUInt8(10)); ; ) {
    const kind = file.readUInt8(at);
    if (kind === 0x2c) return at;
    if (kind !== 0x21) return undefined;
    at += 2;
    for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) at += size + 1;
    at += 1;
  }
}

/** The bytes of the blocks that begin here, up to the empty one. */
function blocksAt(file: Buffer, start: number): Buffer {
  const blocks: Buffer[] = [];
  let at = start;
  for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) {
    blocks.push(file.subarray(at + 1, at + 1 + size));
    at += size + 1;
  }
  return Buffer.concat(blocks);
}

const mostCodes = 4096;

/** How many pixels LZW codes stand for: each code is as long as the one before it and one more. */
function packedPixels(data: Buffer, smallest: number): number {
  const clear = 2 ** smallest;
  const lengths = new Uint32Array(mostCodes).fill(1, 0, clear);
  let [next, width, before, count] = [clear + 2, smallest + 1, 0, 0];
  let [bits, held] = [0, 0];
  for (const byte of data) {
    bits += byte * 2 ** held;
    held += 8;
    while (held >= width) {
      const code = bits % 2 ** width;
      bits = Math.floor(bits / 2 ** width);
      held -= width;
      if (code === clear + 1) return count;
      if (code === clear) {
        [next, width, before] = [clear + 2, smallest + 1, 0];
        continue;
      }
      if (before > 0 && next < mostCodes) lengths[next++] = before + 1;
      before = lengths[code] ?? 0;
      count += before;
      if (next === 2 ** width && width < 12) width++;
    }
  }
  return count;
}
