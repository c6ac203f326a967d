import { constants, createReadStream, type Stats } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { TableBytes } from "../tables/bytes.js";
import type { ColumnKinds } from "../tables/columns.js";
import { formatByEnding, tableFormats } from "../tables/format.js";
import { type RowsRequest, type TableRow, tableRows } from "../tables/table-rows.js";
import { fileError } from "./file-error.js";
import { checkRegularOrPipe, UnreadableFile } from "./regular-file.js";

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

/** Where a table comes from: a file, or a stream such as standard input. `name` is for messages. */
export type TableSource =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

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
        : /\.(zip|bz2|xz|7z|rar|tar|tgz)$/i.test(path)
          ? "Unpack the archive first"
          : /\.(feather|arrow|ipc|pkl|pickle|np[yz]|h5|hdf5|pt|sqlite|db|dta|sav|rds)$/i.test(path)
            ? "Write its rows as CSV or Parquet: pandas reads it (pd.read_feather, pd.read_pickle, …) and writes DataFrame.to_parquet"
            : `Give it the ending of its format, or, where the verb has this flag: --format ${tableFormats.join("|")}`,
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

/**
 * Looks whether a file is there, and may be read, before it is.
 *
 * @returns whether it is a regular file, which can be read again, or a pipe.
 * @throws InputError where there is none, with the name that is meant, where it is a folder, or
 *   where the permission is missing.
 */
export async function checkFile({
  name,
  path,
}: {
  name: string;
  path: string;
}): Promise<{ readonly isFile: boolean }> {
  let stats: Stats;
  try {
    stats = await stat(path);
    await checkRegularOrPipe(path);
  } catch (error) {
    if (error instanceof UnreadableFile) throw notAFile(error, name);
    const problem = fileError(error, "read", name);
    const meant = nearest(basename(path), await readdir(dirname(path)).catch(() => []));
    if (!(problem instanceof InputError) || meant === undefined) throw problem;
    throw new InputError(problem.message, {
      hint: `Did you mean ${join(dirname(name), meant)}?`,
      cause: error,
    });
  }
  if (stats.isDirectory()) {
    const within = await exportedWithin(path);
    throw new InputError(`Expected a file but ${name} is a folder`, {
      ...(within === undefined ? {} : { hint: `Such as ${join(name, within)}` }),
    });
  }
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw fileError(error, "read", name);
  }
  return { isFile: stats.isFile() };
}

/** A file of a folder that `run export` wrote. */
async function exportedWithin(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const step = names.sort().findLast((name) => name.startsWith("step="));
  return step && join(step, "part-00000.parquet");
}

const notAFile = (error: UnreadableFile, name: string) =>
  new InputError(`Could not read ${name}: ${error.reason}`, {
    hint: "A table that another program writes is read on standard input, as -",
    cause: error,
  });
