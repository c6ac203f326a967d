import { InputError } from "../core/errors.js";
import { joined } from "./bytes.js";
import type { Asker, Block } from "./cells.js";
import type { OpenTable } from "./open-table.js";
import { checkKind } from "./other-kinds.js";

/**
 * Streams a table by column, some thousand rows at a time; each block holds until the next is asked for.
 *
 * @param rows where the rows of a JSON document stand: see `readJsonTable`.
 * @throws InputError where `rows` is said of another format, and where the bytes are not of the format.
 */
export async function* tableBlocks(
  { source, format }: OpenTable,
  rows: string | undefined,
  asker: Asker,
): AsyncGenerator<Block> {
  const { name } = source;
  if (rows !== undefined && format !== "json") {
    throw new InputError(`Expected a JSON document for --rows but ${name} is ${format}`);
  }
  // Each reader is loaded when it is first used.
  if (format === "parquet") {
    const { readParquetBlocks } = await import("./parquet-blocks.js");
    return yield* readParquetBlocks(source, asker);
  }
  if (format === "csv") {
    const { readCsvBlocks } = await import("./csv-blocks.js");
    return yield* readCsvBlocks(checkedUtf8(source.open(), name), asker);
  }
  const { RowBlocks, readJsonlBlocks } = await import("./jsonl-blocks.js");
  if (format === "jsonl") return yield* readJsonlBlocks(checkedUtf8(source.open(), name), asker);
  const { isLines, readJsonTable, wholeText } = await import("./json-table.js");
  const content = await wholeText(decodeUtf8(source.open(), name), name);
  if (rows === undefined && isLines(content)) {
    return yield* readJsonlBlocks(bytesOf(content), asker);
  }
  const found = new RowBlocks(asker);
  for (const item of readJsonTable(content, { name, rows })) {
    found.add(item);
    if (found.isFull) yield found.block();
  }
  if (!found.isEmpty) yield found.block();
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(content);
}

/**
 * Decodes UTF-8 piece by piece; a byte order mark at the start is left out.
 *
 * @throws InputError as `checkedUtf8` does.
 */
async function* decodeUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of checkedUtf8(chunks, name)) yield decoder.decode(bytes);
}

/**
 * The bytes of UTF-8 in pieces of whole characters; a byte order mark at the start is left out.
 *
 * @throws InputError naming byte, offset and line where the bytes are not UTF-8 or are zero, and how
 *   to convert; and where they are no text but an archive or Parquet.
 */
async function* checkedUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pending: Uint8Array = new Uint8Array();
  let offset = 0;
  let line = 1;
  const take = (bytes: Uint8Array): Uint8Array => {
    if (offset === 0) checkKind(bytes, { name, expected: "text" });
    if (!isAscii(bytes) && decoded(decoder, bytes) === undefined) {
      throw notUtf8(bytes, { name, offset, line });
    }
    const zero = bytes.indexOf(0);
    if (zero >= 0) throw notText(bytes, zero, { name, offset, line });
    const hasMark = offset === 0 && mark.every((byte, at) => bytes[at] === byte);
    offset += bytes.length;
    line += lineFeeds(bytes);
    return hasMark ? bytes.subarray(mark.length) : bytes;
  };
  for await (const chunk of chunks) {
    const bytes = pending.length === 0 ? chunk : joined([pending, chunk]);
    const whole = bytes.length - cutCharacter(bytes);
    pending = bytes.subarray(whole);
    if (whole > 0) yield take(bytes.subarray(0, whole));
  }
  if (pending.length > 0) yield take(pending);
}

/** Tells whether all bytes are below 128; four at a time. */
function isAscii(bytes: Uint8Array): boolean {
  const start = Math.min(bytes.length, -bytes.byteOffset & 3);
  const count = (bytes.length - start) >> 2;
  let all = 0;
  if (count > 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + start, count);
    for (let at = 0; at < count; at++) all |= words[at] ?? 0;
  }
  for (let at = 0; at < start; at++) all |= bytes[at] ?? 0;
  for (let at = start + 4 * count; at < bytes.length; at++) all |= bytes[at] ?? 0;
  return (all & 0x80808080) === 0;
}

/** The byte order mark. */
const mark = [0xef, 0xbb, 0xbf];

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function notText(
  bytes: Uint8Array,
  zero: number,
  { name, offset, line }: { name: string; offset: number; line: number },
): InputError {
  const isWide = offset === 0 && zero < 2;
  return new InputError(
    `Expected text but received a byte that is zero at offset ${offset + zero} ` +
      `(in ${name}, line ${line + lineFeeds(bytes.subarray(0, zero))})`,
    {
      hint: isWide
        ? `It may be UTF-16: iconv -f UTF-16${zero === 0 ? "BE" : "LE"} -t UTF-8 FILE > converted`
        : "No text has one: the file may be damaged, or of another kind.",
    },
  );
}

/** How many bytes at the end begin a character that has not come whole. */
function cutCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes a character has that starts with this one. */
const lengthFrom = (first: number) => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

function notUtf8(
  bytes: Uint8Array,
  { name, offset, line }: { name: string; offset: number; line: number },
): InputError {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let at = 0;
  while (at < bytes.length) {
    const length = lengthFrom(bytes[at] ?? 0);
    if (
      at + length > bytes.length ||
      decoded(decoder, bytes.subarray(at, at + length)) === undefined
    )
      break;
    at += length;
  }
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const isUtf16 = offset === 0 && at === 0 && ["FF", "FE"].includes(byte);
  const source = name.startsWith('"') || /\s/.test(name) ? "FILE" : name;
  return new InputError(
    `Expected UTF-8 text but received the byte 0x${byte} at offset ${offset + at} ` +
      `(in ${name}, line ${line + lineFeeds(bytes.subarray(0, at))})`,
    {
      hint:
        "Save it as UTF-8, or convert it: " +
        `iconv -f ${isUtf16 ? "UTF-16" : "WINDOWS-1252"} -t UTF-8 ${source} > converted`,
    },
  );
}

function lineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
