import { InputError } from "../../core/errors.js";
import { parquetBytes } from "../rows-file.js";

type TextRow<Name extends string> = Readonly<Record<Name, string>>;

/** Rows of texts as Parquet. */
export const textRowsBytes = <Name extends string>(
  columns: readonly Name[],
  rows: readonly TextRow<Name>[],
): Promise<Uint8Array> =>
  parquetBytes({ columns, rows: rows.map((row) => columns.map((name) => row[name])) });

/**
 * Reads rows that `textRowsBytes` wrote.
 *
 * @throws InputError where the file is torn, or holds other columns
 */
export async function readTextRows<Name extends string>(
  columns: readonly Name[],
  bytes: Uint8Array,
  path: string,
): Promise<TextRow<Name>[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const file = new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({ file }).catch((cause: unknown) => {
    throw foreign(path, cause);
  });
  return rows.map((row) => {
    const cells = columns.map((name) => {
      const cell: unknown = row[name];
      if (typeof cell !== "string") throw foreign(path);
      return [name, cell] as const;
    });
    // Each column was just read.
    return Object.fromEntries(cells) as TextRow<Name>;
  });
}

const foreign = (path: string, cause?: unknown): InputError =>
  new InputError(`Expected a part of a run but ${path} is torn, or another table`, {
    hint: "Remove it: run plan writes tasks again, run perform results.",
    ...(cause === undefined ? {} : { cause }),
  });
