import { extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import type { FileContent } from "../../files/atomic.js";
import { type CellTable, csvText } from "../../tables/cell-table.js";
import { markdownOf } from "../../views/printed.js";
import type { View } from "../../views/view.js";
import { checkOut } from "../command-line/out-path.js";

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

type Writer = (file: ConclusionFile) => FileContent | Promise<FileContent>;

const writers: Readonly<Record<string, Writer>> = {
  ".json": ({ json }) => `${JSON.stringify(json(), null, 2)}\n`,
  ".csv": (file) => csvText(file.table()),
  ".parquet": async (file) => (await import("../../files/rows-file.js")).parquetBytes(file.table()),
  ".md": ({ view, command }) => markdownOf(view, command),
  ".html": (file) => file.page(),
};

/**
 * Returns a writer of the file named by --out, if there is one; `file` is what is read.
 *
 * @throws InputError for an ending that is none of .json, .csv, .parquet, .md and .html, and for a table that is read.
 */
export async function fileWriter(
  { out, file: input }: { readonly out: string | undefined; readonly file: readonly string[] },
  { workingDirectory }: { readonly workingDirectory: string },
): Promise<(file: ConclusionFile) => Promise<void>> {
  if (out === undefined) return async () => {};
  const writer = writers[extname(out).toLowerCase()];
  if (writer === undefined) {
    throw new InputError(
      `Expected a file that ends in ${Object.keys(writers).join(", ")} for --out but received "${out}"`,
    );
  }
  await checkOut(out, { inputs: input, workingDirectory });
  return async (file) => {
    const { writeFileAtomically } = await import("../../files/atomic.js");
    await writeFileAtomically(resolve(workingDirectory, out), await writer(file));
  };
}
