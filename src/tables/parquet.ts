import type { AsyncBuffer, Compressors, FileMetaData, SchemaTree } from "hyparquet";
import {
  decompressBrotli,
  decompressGzip,
  decompressLz4,
  decompressLz4Raw,
  decompressZstd,
} from "hyparquet-compressors";
import { InputError } from "../core/errors.js";
import { mostHeld, wholeBytes } from "./bytes.js";
import { unfoldedSize } from "./open-table.js";
import { checkKind } from "./other-kinds.js";

/** The columns, and the members of those that are structures, under names with dots. */
export function columnNames({ children }: SchemaTree): string[] {
  return children.flatMap((child) => {
    const { name } = child.element;
    if (typeof name !== "string") throw new Error("a column has no name");
    return [name, ...columnNames(child).map((member) => `${name}.${member}`)];
  });
}

/** @throws Error where the table says that it has another number of rows than its parts: it may be damaged. */
export function checkRowCount({ num_rows: said, row_groups: groups }: FileMetaData): void {
  const found = groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (said !== found) throw new Error(`it says that it has ${said} rows, its parts have ${found}`);
}

/** Parquet's index stands at its end: what comes as a stream must be held whole. */
export async function held(bytes: AsyncIterable<Uint8Array>, name: string): Promise<AsyncBuffer> {
  const hint = "Only a Parquet file that is unpacked and no stream is read in parts";
  const all = await wholeBytes(bytes, { name, hint });
  return {
    byteLength: all.length,
    slice: (start, end) => new Uint8Array(all.subarray(start, end)).buffer,
  };
}

/** A value without integers of 64 bits, within lists and structures, too. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
    return Array.from(value, plain);
  }
  if (Array.isArray(value)) return value.map(plain);
  return isStructure(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
    : value;
}

const isStructure = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** @throws InputError where a file is none of Parquet by its first bytes, or is cut short. */
export async function checkEnds(file: AsyncBuffer, name: string): Promise<void> {
  const { byteLength } = file;
  const expected = "a Parquet table";
  if (byteLength === 0) throw new InputError(`Expected ${expected} but ${name} is empty`);
  const bytes = async (from: number, to: number) => new Uint8Array(await file.slice(from, to));
  const start = await bytes(0, Math.min(64, byteLength));
  const isMark = (four: Uint8Array) => new TextDecoder("latin1").decode(four) === "PAR1";
  if (!isMark(start.subarray(0, 4))) {
    checkKind(start, { name, expected });
    throw new InputError(`Expected ${expected} but ${name} does not begin as one`, {
      hint: "If it is text, set the format: --format csv|jsonl|json; else write or fetch it again",
    });
  }
  if (isMark(await bytes(Math.max(0, byteLength - 4), byteLength))) return;
  throw new InputError(`Expected ${expected} but ${name} is cut short: it has no end`, {
    hint: "Write or fetch it again: what its columns are stands at the end",
  });
}

export async function orInputError<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `Expected a Parquet table but received something else: ${reason} (in ${name})`,
      {
        hint: "Save the rows as CSV or JSONL instead.",
        cause: error,
      },
    );
  }
}

/** Node's own, from 22.15 on: half the time. In browsers there is none. */
const nodeZlib = globalThis.process?.getBuiltinModule?.("zlib") as
  | { readonly zstdDecompressSync?: (packed: Uint8Array) => Uint8Array }
  | undefined;

/** Snappy, which most files have, is built in. */
export const compressors: Compressors = {
  GZIP(packed, length) {
    const bytes = decompressGzip(packed, length);
    // The last eight bytes are the checksum and the length, least significant first.
    const end = new DataView(packed.buffer, packed.byteOffset + packed.byteLength - 8, 8);
    if (end.getUint32(0, true) !== crc32(bytes)) throw new Error("its checksum is wrong");
    return bytes;
  },
  BROTLI: decompressBrotli,
  ZSTD(packed, length) {
    if (unfoldedSize(packed) > mostHeld) throw new Error("a page is too large");
    const bytes = nodeZlib?.zstdDecompressSync?.(packed);
    // Node unpacks the first frame of several.
    return bytes?.length === length ? bytes : decompressZstd(packed);
  },
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/** The checksum of gzip (RFC 1952, section 8), from 0 to 2^32 - 1. */
function crc32(bytes: Uint8Array): number {
  let checksum = 0xffffffff;
  for (const byte of bytes) {
    checksum = (checksum >>> 8) ^ (remainders[(checksum ^ byte) & 255] ?? 0);
  }
  return (checksum ^ 0xffffffff) >>> 0;
}
