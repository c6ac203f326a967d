import { createReadStream } from "node:fs";
import { extname, join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import type { TablesSession } from "../../../files/duckdb/tables-session.js";
import { csvLine } from "../../../tables/csv-text.js";

const formats: Readonly<Record<string, "csv" | "json" | "parquet">> = {
  ".csv": "csv",
  ".jsonl": "json",
  ".parquet": "parquet",
};

/**
 * Returns a writer of a query's answer, by its file's ending, a part at a time, whole or not at all.
 *
 * @throws InputError, at once, for an ending that is none of .csv, .jsonl and .parquet.
 */
export function answerWriter(
  out: string,
  { workingDirectory }: { readonly workingDirectory: string },
): (session: TablesSession, sql: string, folder: string) => Promise<void> {
  const format = formats[extname(out).toLowerCase()];
  if (format === undefined) {
    throw new InputError(
      `Expected a file that ends in ${Object.keys(formats).join(", ")} for --out but received "${out}"`,
    );
  }
  const path = resolve(workingDirectory, out);
  return async (session, sql, folder) => {
    if (format === "csv") return writeFileAtomically(path, csvOf(session, sql));
    const written = join(folder, `answer.${format}`);
    await session.write(sql, written, format);
    await writeFileAtomically(path, createReadStream(written));
  };
}

/** By the writer of all our CSV files, which keeps a spreadsheet from running a cell. */
async function* csvOf(session: TablesSession, sql: string): AsyncGenerator<string> {
  const { columns, rows } = await session.ask(sql);
  yield csvLine(columns.map(({ name }) => name));
  for await (const row of rows()) yield csvLine(row.map(cellText));
}

/** A cell as text: nothing for NULL, JSON for a list or a structure. */
export function cellText(cell: Json): string {
  if (cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
