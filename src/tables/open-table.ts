import { joined, type TableBytes } from "./bytes.js";
import type { TableFormat } from "./format.js";
import { unpacked } from "./unpacked.js";

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
