import * as zlib from "node:zlib";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { InputError } from "../core/errors.js";
import type { TableItem } from "../tables/format.js";
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
  const { metadata, names, total } = await orInputError(name, async () => {
    const found = await parquetMetadataAsync(file);
    return { metadata: found, names: columnNames(parquetSchema(found)), total: rowCount(found) };
  });
  yield { kind: "columns", names };
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

/** The columns, and the members of those that are structures, under names with dots. */
function columnNames({ children }: SchemaTree): string[] {
  return children.flatMap((child) => {
    const { name } = child.element;
    if (typeof name !== "string") throw new Error("a column has no name");
    return [name, ...columnNames(child).map((member) => `${name}.${member}`)];
  });
}

/** How many rows the table says it has, where its parts say the same: it may be damaged. */
function rowCount({ num_rows: said, row_groups: groups }: FileMetaData): number {
  const found = groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (said !== found) throw new Error(`it says that it has ${said} rows, its parts have ${found}`);
  return Number(said);
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
          : "Save the rows as CSV or JSONL instead.",
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
