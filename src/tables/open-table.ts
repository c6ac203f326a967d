import { InputError } from "../core/errors.js";
import { joined, mostHeld, type TableBytes, tooLarge, wholeBytes } from "./bytes.js";
import { isPacked, type TableFormat } from "./format.js";

/** A table whose format is known. */
export interface OpenTable {
  readonly source: TableBytes;
  readonly format: TableFormat;
}

/** Finds out what a table holds: as it is said, else by its first bytes. What is packed is unpacked. */
export async function openTable(given: TableBytes, format?: TableFormat): Promise<OpenTable> {
  const source = unpacked(given);
  const known = format ?? source.format;
  return known === undefined ? sniff(source) : { format: known, source };
}

/** Parquet starts with PAR1, JSONL with a brace, JSON with a bracket; all else is read as CSV. */
async function sniff(source: TableBytes): Promise<OpenTable> {
  const iterator = source.open()[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < mostSniffed && new TextDecoder("latin1").decode(start).trim().length < 4) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    start = joined([start, value]);
  }
  async function* again() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  const text = new TextDecoder().decode(start).trimStart();
  const format: TableFormat = text.startsWith("PAR1")
    ? "parquet"
    : text.startsWith("{")
      ? "jsonl"
      : text.startsWith("[")
        ? "json"
        : "csv";
  if (source.isOnce === true) return { format, source: { ...source, open: again } };
  await iterator.return?.();
  return { format, source };
}

/** How many bytes are read, at most, to find the first that is no blank. */
const mostSniffed = 65_536;

/** The bytes of a table that gzip or Zstandard packed, unpacked; of any other table as they are. */
function unpacked({ parts, ...source }: TableBytes): TableBytes {
  // Of what is packed no part can be read by itself.
  const whole = parts === undefined || isPacked(source.name) ? source : { ...source, parts };
  return { ...whole, open: () => unpackedBytes(source) };
}

async function* unpackedBytes(source: TableBytes): AsyncGenerator<Uint8Array> {
  const iterator = source.open()[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < 4) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    start = joined([start, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  const isOf = (first: readonly number[]) => first.every((byte, at) => start[at] === byte);
  if (isOf([0x1f, 0x8b])) {
    const { gunzip, name } = source;
    if (gunzip === undefined) yield* orDamaged(gunzipped(all()), name, severalMembers);
    else yield* orDamaged(gunzip(all()), name);
  } else if (isOf([0x28, 0xb5, 0x2f, 0xfd]))
    yield* orDamaged(fromZstandard(all(), source.name), source.name);
  else yield* all();
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = packed[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
  const reader = stream.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Zstandard is unpacked as a whole, so no more than can be held. */
async function* fromZstandard(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const hint = `Unpack it first (zstd -d), then give that file, or pack it with gzip, which is read in parts`;
  const packed = await wholeBytes(chunks, { name, hint });
  if (unfoldedSize(packed) > mostHeld) throw tooLarge(name, hint);
  // Loaded when first used: few tables are packed so.
  const { decompressZstd } = await import("./zstandard.js");
  yield decompressZstd(packed);
}

const severalMembers = " If it has several gzip members, such as of bgzip, unpack it first.";

async function* orDamaged(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  hint = "",
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const found = await iterator.next().catch((cause: unknown) => {
        if (cause instanceof InputError) throw cause;
        throw new InputError(`Expected a whole packed file but ${name} can't be unpacked`, {
          hint: `It may be cut or damaged: copy it again.${hint}`,
          cause,
        });
      });
      if (found.done === true) return;
      yield found.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Memory that unpacking Zstandard takes, in bytes, told by the headers of its frames and blocks (RFC 8878, section
 * 3.1): what the blocks unfold to at most, and the largest window. A file of some kilobytes may unfold to gigabytes.
 */
export function unfoldedSize(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = packed.length;
  let size = 0;
  let window = 0;
  let at = 0;
  while (at + 8 <= end) {
    const magic = view.getUint32(at, true);
    if (magic !== frameMagic) {
      // A frame that is skipped says its length; anything else whoever unpacks it refuses.
      if (magic >>> 4 !== skippedMagic) break;
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const flags = packed[at + 4] ?? 0;
    const isSingle = (flags & 32) !== 0;
    at += 5;
    if (!isSingle) {
      const descriptor = packed[at] ?? 0;
      const base = 2 ** (10 + (descriptor >> 3));
      window = Math.max(window, base + (base / 8) * (descriptor & 7));
      at += 1;
    }
    at += [0, 1, 2, 4][flags & 3] ?? 0;
    const sizeBytes = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6);
    let declared = 0;
    for (let byte = sizeBytes - 1; byte >= 0; byte--)
      declared = declared * 256 + (packed[at + byte] ?? 0);
    window = Math.max(window, declared);
    at += sizeBytes;
    for (let isLast = false; !isLast && at + 3 <= end; ) {
      const header = view.getUint16(at, true) + 65_536 * (packed[at + 2] ?? 0);
      isLast = (header & 1) === 1;
      const kind = (header >> 1) & 3;
      const length = header >> 3;
      size += kind === 2 ? largestBlock : length;
      at += 3 + (kind === 1 ? 1 : length);
    }
    at += (flags & 4) === 0 ? 0 : 4;
  }
  return size + window;
}

const frameMagic = 0xfd2fb528;
const skippedMagic = 0x184d2a5;

/** No block unfolds to more. */
const largestBlock = 131_072;
