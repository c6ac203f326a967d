interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a GIF's canvas, and where its first frame lies on it, in pixels. */
export interface GifPlaces {
  readonly canvas: Size;
  readonly frame: Size & { readonly left: number; readonly top: number };
}

/** Reads them from the file, since libvips takes other canvases for some of the usual screens' sizes. */
export const gifPlaces = (bytes: Uint8Array): GifPlaces | undefined => firstFrame(bytes)?.places;

/**
 * Finds a fault in a GIF's size, as far as its first frame tells; `undefined` where it says
 * nothing wrong, or is cut short, which whoever decodes it finds. The first frame must lie on the
 * canvas, and its packed pixels must be as many as it has: decoders show the rest as they please.
 */
export function gifSizeProblem(bytes: Uint8Array): string | undefined {
  const first = firstFrame(bytes);
  if (first === undefined) return undefined;
  const { canvas, frame } = first.places;
  const { left, top, width, height } = frame;
  if (left + width > canvas.width || top + height > canvas.height) {
    return (
      `its header says ${canvas.width} x ${canvas.height} pixels, its first frame has ` +
      `${width} x ${height} at (${left}, ${top})`
    );
  }
  const { file, at } = first;
  return unlessCut(() => {
    const data = at + 10 + tableBytes(file.readUInt8(at + 9));
    const found = packedPixels(blocksAt(file, data + 1), file.readUInt8(data));
    const said = width * height;
    return found === said
      ? undefined
      : `its header says ${said} pixels, its first frame holds ${found}`;
  });
}

function firstFrame(bytes: Uint8Array) {
  if (bytes[0] !== 0x47 || bytes[1] !== 0x49) return undefined;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return unlessCut(() => {
    const at = firstDescriptor(file);
    if (at === undefined) return undefined;
    const canvas = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
    const frame = {
      left: file.readUInt16LE(at + 1),
      top: file.readUInt16LE(at + 3),
      width: file.readUInt16LE(at + 5),
      height: file.readUInt16LE(at + 7),
    };
    return { file, at, places: { canvas, frame } };
  });
}

function unlessCut<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Bytes of the table of colours that a flag byte announces. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where the first image descriptor stands. */
function firstDescriptor(file: Buffer): number | undefined {
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
