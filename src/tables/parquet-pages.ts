import type {
  CompressionCodec,
  DecodedArray,
  PageHeader,
  ParquetType,
  SchemaTree,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { mostHeld } from "./bytes.js";
import { compressors } from "./parquet.js";

/** The bytes of a column in one part of a file. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly codec: CompressionCodec;
  readonly type: ParquetType;
  /** From the root to the column. */
  readonly path: readonly SchemaTree[];
  /** No more values than these are in it. */
  readonly most: number;
  /** Whether plain values stay where they are, as texts of millions would each be an object. */
  readonly areTexts?: boolean;
}

/** Texts in the bytes of a page: number n stands from places[2 n] up to places[2 n + 1]. */
export interface PlainTexts {
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
}

/** The values that a column repeats, or a page of values. */
export type Page =
  | {
      readonly kind: "dictionary";
      readonly values: DecodedArray;
      readonly texts: PlainTexts | undefined;
    }
  | {
      readonly kind: "data";
      readonly count: number;
      /** Definition level of each value, which says whether it is null; undefined where none can be. */
      readonly definition: Int32Array | undefined;
      /** Repetition level of each value (0 begins a row); undefined where the column has no lists. */
      readonly repetition: Int32Array | undefined;
      /** Places in the dictionary where the encoding says so. */
      readonly isCoded: boolean;
      /** Those that are there. */
      readonly values: DecodedArray;
      /** In their place, where plain ones are texts. */
      readonly texts: PlainTexts | undefined;
    };

/**
 * Reads the pages of a column. What their headers say is held against what is there, so that a damaged file neither
 * takes memory without end nor time.
 *
 * @throws Error where they can't be right.
 */
export function* pagesOf({ bytes, codec, type, path, most, areTexts }: Chunk): Generator<Page> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  const limits = {
    definition: getMaxDefinitionLevel([...path]),
    repetition: getMaxRepetitionLevel([...path]),
  };
  const element = path.at(-1)?.element;
  let total = 0;
  while (reader.offset < bytes.length - 1) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked } = header;
    if (!(size >= 0) || reader.offset + size > bytes.length) {
      throw new Error("a page is longer than its column");
    }
    if (!(unpacked >= 0 && unpacked <= mostHeld)) throw new Error("a page is too large");
    const packed = bytes.subarray(reader.offset, reader.offset + size);
    reader.offset += size;
    const asked = { type, length: element?.type_length };
    if (header.type === "DICTIONARY_PAGE") {
      const count = header.dictionary_page_header?.num_values ?? 0;
      const content = unpackedBytes(packed, unpacked, codec);
      const texts = areTexts ? plainTexts(content, count) : undefined;
      const values = texts === undefined ? plainValues(content, count, asked) : [];
      yield { kind: "dictionary", values, texts };
    }
    const data = header.data_page_header_v2 ?? header.data_page_header;
    // Others, such as an index, hold no values.
    if (!["DATA_PAGE", "DATA_PAGE_V2"].includes(header.type) || data === undefined) continue;
    const { num_values: count, encoding } = data;
    total += count;
    if (!(count >= 0 && total <= most)) throw new Error("a page has more values than its column");
    const { repetition, definition, content } = partsOf(packed, header, { codec, limits });
    const levels =
      limits.definition === 0 ? undefined : runs(definition, widthOf(limits.definition), count);
    const there = levels === undefined ? count : countOf(levels, limits.definition);
    const texts = areTexts && encoding === "PLAIN" ? plainTexts(content, there) : undefined;
    yield {
      kind: "data",
      count,
      definition: there === count ? undefined : levels,
      repetition:
        limits.repetition === 0 ? undefined : runs(repetition, widthOf(limits.repetition), count),
      isCoded: encoding.endsWith("_DICTIONARY"),
      values: texts === undefined ? valuesOf(content, encoding, there, asked) : [],
      texts,
    };
  }
}

interface Levels<Of> {
  readonly definition: Of;
  readonly repetition: Of;
}

/** The levels and the values of a page, unpacked. */
function partsOf(
  packed: Uint8Array,
  { uncompressed_page_size: size, data_page_header_v2: second }: PageHeader,
  { codec, limits }: { readonly codec: CompressionCodec; readonly limits: Levels<number> },
): Levels<Uint8Array> & { readonly content: Uint8Array } {
  if (second === undefined) {
    let content = unpackedBytes(packed, size, codec);
    const next = (isThere: boolean): Uint8Array => {
      if (!isThere) return new Uint8Array();
      const levels = prefixed(content);
      content = content.subarray(4 + levels.length);
      return levels;
    };
    const repetition = next(limits.repetition > 0);
    const definition = next(limits.definition > 0);
    return { repetition, definition, content };
  }
  const first = second.repetition_levels_byte_length;
  const both = first + second.definition_levels_byte_length;
  if (!(first >= 0 && both >= first && both <= packed.length && both <= size)) {
    throw new Error("a page is shorter than its levels");
  }
  const content = packed.subarray(both);
  return {
    repetition: packed.subarray(0, first),
    definition: packed.subarray(first, both),
    content: second.is_compressed === false ? content : unpackedBytes(content, size - both, codec),
  };
}

/** Unpacks a page. An empty page is not given to the codec: writers pack it in different ways. */
const unpackedBytes = (packed: Uint8Array, size: number, codec: CompressionCodec): Uint8Array =>
  size === 0 ? new Uint8Array() : decompressPage(packed, size, codec, compressors);

/** The bytes that a length of 32 bits stands before. */
function prefixed(bytes: Uint8Array): Uint8Array {
  const length = viewOf(bytes).getUint32(0, true);
  if (4 + length > bytes.length) throw new Error("a page is shorter than its levels");
  return bytes.subarray(4, 4 + length);
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** How many bits hold each number from 0 up to `most`. */
const widthOf = (most: number): number => 32 - Math.clz32(most);

function countOf(levels: Int32Array, level: number): number {
  let count = 0;
  for (let at = 0; at < levels.length; at++) if (levels[at] === level) count += 1;
  return count;
}

/** Reads `count` numbers of `width` bits in Parquet's hybrid of run lengths and bit packing, lowest bits first. */
function runs(bytes: Uint8Array, width: number, count: number): Int32Array {
  const values = new Int32Array(count);
  if (width === 0) return values;
  if (width > 32) throw new Error(`it has numbers of ${width} bits`);
  let at = 0;
  const byte = (): number => {
    const next = bytes[at++];
    if (next === undefined) throw new Error("a page ends within its numbers");
    return next;
  };
  for (let filled = 0; filled < count; ) {
    let header = 0;
    for (let scale = 1, next = 128; next >= 128; scale *= 128) {
      if (scale > 2 ** 35) throw new Error("a run has no length");
      next = byte();
      header += (next & 127) * scale;
    }
    const length = Math.floor(header / 2);
    if (header % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= byte() << shift;
      values.fill(value, filled, filled + length);
      filled += length;
      continue;
    }
    const start = at;
    const end = Math.min(count, filled + 8 * length);
    let bits = 0;
    let held = 0;
    for (; filled < end; filled++) {
      if (width <= 24) {
        for (; held < width; held += 8) bits |= byte() << held;
        values[filled] = bits & ((1 << width) - 1);
        bits >>>= width;
      } else {
        // More bits than an integer has.
        for (; held < width; held += 8) bits += byte() * 2 ** held;
        const rest = Math.floor(bits / 2 ** width);
        values[filled] = bits - rest * 2 ** width;
        bits = rest;
      }
      held -= width;
    }
    at = start + length * width;
  }
  return values;
}

interface AskedValues {
  readonly type: ParquetType;
  /** Bytes of each, where all have the same. */
  readonly length: number | undefined;
}

function valuesOf(
  bytes: Uint8Array,
  encoding: string,
  count: number,
  asked: AskedValues,
): DecodedArray {
  const reader = { view: viewOf(bytes), offset: 0 };
  if (count === 0) return [];
  if (encoding === "PLAIN") return plainValues(bytes, count, asked);
  if (encoding.endsWith("_DICTIONARY")) return runs(bytes.subarray(1), bytes[0] ?? 0, count);
  if (encoding === "RLE") return Array.from(runs(prefixed(bytes), 1, count), Boolean);
  if (encoding === "BYTE_STREAM_SPLIT") {
    if (count > bytes.length) throw new Error("a page is too short");
    return byteStreamSplit(reader, count, asked.type, asked.length);
  }
  if (encoding === "DELTA_BINARY_PACKED") {
    const values = new BigInt64Array(count);
    deltaBinaryUnpack(reader, count, values);
    // DuckDB writes differences of 32 bits without wrapping them, which the library's way for 32 bits can't hold.
    const narrow = (value: bigint) => Number(BigInt.asIntN(32, value));
    return asked.type === "INT32" ? Int32Array.from(values, narrow) : values;
  }
  if (encoding === "DELTA_LENGTH_BYTE_ARRAY" || encoding === "DELTA_BYTE_ARRAY") {
    const shared = new Int32Array(count);
    if (encoding === "DELTA_BYTE_ARRAY") deltaBinaryUnpack(reader, count, shared);
    const lengths = new Int32Array(count);
    deltaBinaryUnpack(reader, count, lengths);
    return byteArrays(bytes.subarray(reader.offset), shared, lengths);
  }
  throw new Error(`its encoding ${encoding} is not known`);
}

/** Texts, each of which has so many first bytes in common with the one before. */
function byteArrays(bytes: Uint8Array, shared: Int32Array, lengths: Int32Array): Uint8Array[] {
  let at = 0;
  let held = 0;
  let last: Uint8Array = new Uint8Array();
  return Array.from(lengths, (length, place) => {
    const first = shared[place] ?? 0;
    if (length < 0 || at + length > bytes.length || first < 0 || first > last.length) {
      throw new Error("a text is longer than its page");
    }
    held += first;
    if (held > mostHeld) throw new Error("a page is too large");
    const rest = bytes.subarray(at, at + length);
    at += length;
    const text = first === 0 ? rest : new Uint8Array(first + length);
    if (first > 0) {
      text.set(last.subarray(0, first));
      text.set(rest, first);
    }
    last = text;
    return text;
  });
}

function plainTexts(bytes: Uint8Array, count: number): PlainTexts {
  if (!(count >= 0 && 4 * count <= bytes.length)) throw new Error("a page is too short");
  const places = new Int32Array(2 * count);
  const view = viewOf(bytes);
  let at = 0;
  for (let place = 0; place < places.length; place += 2) {
    if (at + 4 > bytes.length) throw new Error("a page is too short");
    places[place] = at + 4;
    at += 4 + view.getUint32(at, true);
    places[place + 1] = at;
  }
  if (at > bytes.length) throw new Error("a page is too short");
  return { bytes, places };
}

function plainValues(
  bytes: Uint8Array,
  count: number,
  { type, length }: AskedValues,
): DecodedArray {
  if (!(count >= 0 && count <= 8 * bytes.length)) throw new Error("a page is too short");
  const reader = { view: viewOf(bytes), offset: 0 };
  const values = readPlain(reader, type, count, length);
  if (reader.offset > bytes.length) throw new Error("a page is too short");
  return values;
}
