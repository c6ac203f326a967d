import * as zlib from "node:zlib";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";
import { InputError } from "../core/errors.js";
import type { TableItem } from "./table-format.js";
import type { TableSource } from "./table-source.js";

const rowsAtOnce = 10_000;

/**
 * Reads Parquet, some thousand rows at a time. 64-bit integers become numbers where they are small
 * enough to be exact, else text.
 *
 * @throws InputError where the bytes are not Parquet or are packed in a way that can't be read here.
 */
export async function* readParquetTable(source: TableSource): AsyncGenerator<TableItem> {
  const { name } = source;
  const file = "path" in source ? await asyncBufferFromFile(source.path) : await held(source.bytes);
  const metadata = await orInputError(name, () => parquetMetadataAsync(file));
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  yield { kind: "columns", names };
  const total = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < total; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(total, rowStart + rowsAtOnce);
    const rows = await orInputError(name, () =>
      parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }),
    );
    for (const [index, row] of rows.entries()) {
      const values = Object.entries(row).map(([column, value]) => [column, plain(value)]);
      yield { kind: "row", line: rowStart + index + 1, values: Object.fromEntries(values) };
    }
  }
}

/** Parquet's index stands at its end: what comes as a stream must be held whole. */
async function held(bytes: AsyncIterable<Uint8Array>): Promise<AsyncBuffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  return {
    byteLength: all.length,
    slice: (start, end) => new Uint8Array(all.subarray(start, end)).buffer,
  };
}

function plain(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

async function orInputError<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `Expected a Parquet table but received something else: ${reason} (in ${name})`,
      {
        hint: reason.includes("ZSTD")
          ? "Node 22.15 or newer unpacks Zstandard; or write the table with Snappy, as CSV or JSONL."
          : "A CSV or JSONL of the same rows will do as well.",
        cause: error,
      },
    );
  }
}

/** Snappy, which most files have, is built in; Node brings these. Zstandard came with 22.15. */
const compressors: Compressors = {
  GZIP: (packed) => zlib.gunzipSync(packed),
  BROTLI: (packed) => zlib.brotliDecompressSync(packed),
  ...zstandard(),
};

function zstandard(): Compressors {
  const unpack: unknown = Reflect.get(zlib, "zstdDecompressSync");
  return typeof unpack === "function" ? { ZSTD: (packed) => unpack(packed) } : {};
}
