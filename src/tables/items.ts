import { InputError } from "../core/errors.js";
import { joined, type TableBytes } from "./bytes.js";
import { readCsvTable } from "./csv.js";
import type { TableFormat, TableItem } from "./format.js";
import { readJsonTable } from "./json-table.js";
import { readJsonlTable } from "./jsonl-table.js";
import { unpacked } from "./unpacked.js";
import { decodePieces, decodeUtf8 } from "./utf8.js";

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

/**
 * Streams the items of a table, in order, as many at a time as come together.
 *
 * @param rows where the rows of a JSON document stand: see `readJsonTable`.
 * @param quickly what reads rows of CSV by their header, in place of giving their values.
 * @throws InputError where `rows` is said of another format.
 */
export async function* tableItems(
  { source, format }: OpenTable,
  rows?: string,
  quickly?: Parameters<typeof readCsvTable>[1],
): AsyncGenerator<Iterable<TableItem>> {
  const { name } = source;
  if (rows !== undefined && format !== "json") {
    throw new InputError(`Expected a JSON document for --rows but ${name} is ${format}`);
  }
  if (format === "parquet") {
    // Loaded when first used: most tables are text.
    const { readParquetTable } = await import("./parquet.js");
    return yield* readParquetTable(source);
  }
  const chunks = source.open();
  if (format === "csv") return yield* readCsvTable(decodePieces(chunks, name), quickly);
  const decoded = decodeUtf8(chunks, name);
  yield* format === "json" ? readJsonTable(decoded, { name, rows }) : readJsonlTable(decoded);
}

/** Parquet starts with PAR1, JSONL with a brace, JSON with a bracket; all else is read as CSV. */
async function sniff(source: TableBytes): Promise<OpenTable> {
  const iterator = source.open()[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (new TextDecoder("latin1").decode(start).trim().length < 4) {
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
