import { InputError } from "../core/errors.js";
import type { Asker, Block } from "./cells.js";
import type { OpenTable } from "./open-table.js";
import { checkedUtf8, decodeUtf8 } from "./utf8.js";

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
