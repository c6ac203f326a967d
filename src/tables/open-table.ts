import { InputError } from "../core/errors.js";
import { joined, mostHeld, type TableBytes, tooLarge, wholeBytes } from "./bytes.js";
import { isPacked, type TableFormat } from "./format.js";
import { unfoldedSize } from "./unfolded-size.js";

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
