import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { InputError } from "../core/errors.js";
import { readCsvTable } from "../tables/csv.js";
import { type TableFormat, type TableItem, tableFormats } from "../tables/format.js";
import { readJsonTable } from "../tables/json.js";
import { readJsonlTable } from "../tables/jsonl.js";
import { decodeUtf8 } from "../tables/utf8.js";
import { checkFile, type TableSource } from "./table-source.js";

/** A table whose format is known. */
export interface OpenTable {
  readonly source: TableSource;
  readonly format: TableFormat;
}

/**
 * Finds out what a table holds: as it is said, else by the file's ending, else by a stream's first
 * bytes.
 *
 * @throws InputError where there is no such file or its ending says nothing.
 */
export async function openTable(source: TableSource, format?: TableFormat): Promise<OpenTable> {
  if ("path" in source) await checkFile(source);
  const known = format ?? formatByEnding(source);
  return known === undefined ? sniff(source) : { format: known, source };
}

/**
 * What stands in a table, in order.
 *
 * @param rows where the rows of a JSON document stand: see `readJsonTable`.
 * @throws InputError where `rows` is said of another format.
 */
export async function* tableItems(
  { source, format }: OpenTable,
  rows?: string,
): AsyncGenerator<TableItem> {
  if (rows !== undefined && format !== "json") {
    throw new InputError(`Expected a JSON document for --rows but ${source.name} is ${format}`);
  }
  if (format === "parquet") {
    // Loaded when first used: most tables are text.
    const { readParquetTable } = await import("./table-parquet.js");
    return yield* readParquetTable(source);
  }
  const bytes = "path" in source ? createReadStream(source.path) : source.bytes;
  const decoded = decodeUtf8(bytes, source.name);
  if (format === "json") yield* readJsonTable(decoded, { name: source.name, rows });
  else yield* format === "csv" ? readCsvTable(decoded) : readJsonlTable(decoded);
}

const endings: Readonly<Record<string, TableFormat>> = {
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".json": "json",
  ".csv": "csv",
  ".tsv": "csv",
  ".parquet": "parquet",
};

function formatByEnding(source: TableSource): TableFormat | undefined {
  return "path" in source ? endings[extname(source.path).toLowerCase()] : undefined;
}

/** Parquet starts with PAR1, JSONL with a brace, JSON with a bracket; all else is read as CSV. */
async function sniff(source: TableSource): Promise<OpenTable> {
  if ("path" in source) {
    throw new InputError(
      `Expected a .jsonl, .json, .csv or .parquet file but received ${source.name}`,
      {
        hint: `Set the format: --format ${tableFormats.join("|")}`,
      },
    );
  }
  const iterator = source.bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.toString("latin1").trim().length < 4) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  async function* bytes() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  const text = start.toString("utf8").replace("\ufeff", "").trimStart();
  const format: TableFormat = text.startsWith("PAR1")
    ? "parquet"
    : text.startsWith("{")
      ? "jsonl"
      : text.startsWith("[")
        ? "json"
        : "csv";
  return { format, source: { name: source.name, bytes: bytes() } };
}
