import { resolve } from "node:path";
import type { Json } from "../../core/json.js";
import type { FileContent } from "../../files/atomic.js";
import { type CellTable, csvText } from "../../tables/cell-table.js";
import type { View } from "../../views/view.js";
import { byEnding, checkOut } from "../command-line/out-path.js";

/** Content of a file about a conclusion. */
export interface ConclusionFile {
  /** Output of --json. */
  json(): Json;
  /** Unrounded, a row for each thing reported. */
  table(): CellTable;
  readonly view: View;
  /** The command that makes it again. */
  readonly command: string;
  /** One HTML page. The only one that may draw: it loads plots when it is asked for. */
  page(): Promise<string>;
}

const tableWriters: Readonly<
  Record<string, (table: CellTable) => FileContent | Promise<FileContent>>
> = {
  ".csv": csvText,
  ".parquet": async (table) => (await import("../../files/rows-file.js")).parquetBytes(table),
};

const writers: Readonly<
  Record<string, (file: ConclusionFile) => FileContent | Promise<FileContent>>
> = {
  ".json": ({ json }) => `${JSON.stringify(json(), null, 2)}\n`,
  ...Object.fromEntries(
    Object.entries(tableWriters).map(([ending, write]) => [ending, (file) => write(file.table())]),
  ),
  ".md": async ({ view, command }) =>
    (await import("../../views/markdown.js")).markdownOf(view, command),
  ".html": (file) => file.page(),
};

/**
 * Returns a writer of the file named by --out, if there is one; `file` is what is read.
 *
 * @throws InputError for an ending that is none of .json, .csv, .parquet, .md and .html, and for a table that is read.
 */
export const fileWriter = (
  { out, file }: { readonly out: string | undefined; readonly file: readonly string[] },
  { workingDirectory }: Place,
) => writerOf(out, { flag: "out", writers, inputs: file, workingDirectory });

/** The same of a further table, for the flag that names its file. */
export const tableWriter = (
  out: string | undefined,
  options: Place & { readonly flag: string; readonly inputs: readonly string[] },
) => writerOf(out, { ...options, writers: tableWriters });

interface Place {
  readonly workingDirectory: string;
}

async function writerOf<Content>(
  out: string | undefined,
  {
    flag,
    writers,
    inputs,
    workingDirectory,
  }: Place & {
    readonly flag: string;
    readonly writers: Readonly<
      Record<string, (content: Content) => FileContent | Promise<FileContent>>
    >;
    readonly inputs: readonly string[];
  },
): Promise<(content: Content) => Promise<void>> {
  if (out === undefined) return async () => {};
  const writer = byEnding(writers, out, flag);
  await checkOut(out, { inputs, workingDirectory, flag });
  return async (content) => {
    const { writeFileAtomically } = await import("../../files/atomic.js");
    await writeFileAtomically(resolve(workingDirectory, out), await writer(content));
  };
}
