import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { InputError } from "../core/errors.js";
import type { TableBytes } from "../tables/bytes.js";
import type { ColumnKinds } from "../tables/columns.js";
import { formatByEnding, tableFormats } from "../tables/format.js";
import { type RowsRequest, type TableRow, tableRows } from "../tables/table-rows.js";
import { checkFile, type TableSource } from "./table-source.js";

/** Request for the rows of a file or a stream, see `RowsRequest`. */
export interface TableRequest<Kinds extends ColumnKinds>
  extends Omit<RowsRequest<Kinds>, "source"> {
  /** One, or several that are read as one table; `matchingFiles` finds those of a pattern. */
  readonly source: TableSource | readonly TableSource[];
}

/**
 * Streams the rows of tables in files or from streams, as `tableRows` does.
 *
 * @throws InputError where there is no such file or nothing says what it holds; else as `tableRows`.
 * @example
 * for await (const { row } of readTable({ source, columns: { id: text, correct: score } })) …
 */
export async function* readTable<const Kinds extends ColumnKinds>({
  source,
  ...request
}: TableRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const isFormatKnown = request.format !== undefined;
  const sources = "name" in source ? [source] : source;
  yield* tableRows({
    ...request,
    source: await Promise.all(sources.map((each) => tableBytes(each, isFormatKnown))),
  });
}

/**
 * The bytes of a table in a file or from a stream.
 *
 * @param isFormatKnown whether the file's ending need not say what it holds
 * @throws InputError where there is no such file or nothing says what it holds.
 */
export async function tableBytes(source: TableSource, isFormatKnown: boolean): Promise<TableBytes> {
  const { name } = source;
  if (!("path" in source)) return { name, open: () => source.bytes, gunzip, isOnce: true };
  const { path } = source;
  const { isFile } = await checkFile(source);
  const format = formatByEnding(path);
  if (!isFormatKnown && format === undefined) {
    throw new InputError(`Expected a .jsonl, .json, .csv or .parquet file but received ${name}`, {
      hint: /\.(xlsx?|xlsm|ods|numbers)$/i.test(path)
        ? "It is a workbook: save the sheet as CSV"
        : /\.zip$/i.test(path)
          ? "Unpack the archive first"
          : `Set the format: --format ${tableFormats.join("|")}`,
    });
  }
  return {
    name,
    format,
    open: () => createReadStream(path, { highWaterMark: 262_144 }),
    gunzip,
    // Loaded when first used: most tables are text.
    parts: async () => (await import("hyparquet")).asyncBufferFromFile(path),
    isOnce: !isFile,
  };
}

function gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: 262_144 });
  // Whoever reads what comes out is told of an error there.
  pipeline(packed, unpacked).catch(() => {});
  return unpacked;
}
