import { resolve } from "node:path";
import { type Inputs, tableName } from "../../conclusions/table-options.js";
import { failed } from "../../files/file-error.js";
import { tableBytes } from "../../files/read-table.js";
import { readTextFile } from "../../files/regular-file.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";

/**
 * Returns a command's inputs: the files of this machine, and its standard input.
 *
 * @param note told in a sentence which words were read as no answer.
 */
export const filesOf = (
  { stdin, workingDirectory }: Pick<Environment, "stdin" | "workingDirectory">,
  { note }: Partial<Pick<Output, "note">> = {},
): Inputs => ({
  ...(note && { tell: note }),
  table(file, isFormatKnown) {
    const name = tableName({ file: [file] });
    const source =
      file === "-" ? { name, bytes: stdin } : { name, path: resolve(workingDirectory, file) };
    return tableBytes(source, isFormatKnown);
  },
  text: (file) => readTextFile(resolve(workingDirectory, file)).catch(failed("read", file)),
});
