import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { absent } from "../file-error.js";
import { readTextFile } from "../regular-file.js";

/** The file in a folder of `run export` that says what lies there. */
export const exportFile = "export.json";

const exportedTable = z.object({ rows: z.int().nonnegative(), columns: z.array(z.string()) });

const exportedRun = z.object({
  /** The run's place, without a password. */
  run: z.string(),
  /** Every version of Touchstone that worked on the run. */
  software: z.array(z.string()),
  /** By their folders' names. */
  tables: z.record(z.string().regex(/^[a-z_]+$/), exportedTable),
});

/** A table of an exported run; its columns with `step`, which stands in the names of its folders. */
export type ExportedTable = Readonly<z.output<typeof exportedTable>>;
/** A run as `run export` wrote it. */
export type ExportedRun = Readonly<z.output<typeof exportedRun>>;

/** Reads the note in a folder of `run export`; undefined where it is none. */
export async function readExportedRun(folder: string): Promise<ExportedRun | undefined> {
  const path = join(folder, exportFile);
  const text = await readTextFile(path).catch(absent(path));
  if (text === undefined) return undefined;
  try {
    return exportedRun.parse(JSON.parse(text));
  } catch (cause) {
    throw new InputError(`Expected what run export wrote in ${path} but it is something else`, {
      cause,
    });
  }
}
