import { conclude } from "touchstone-t2i/analysis";
import { scoreColumn, tableOf, tableRows, text } from "touchstone-t2i/tables";

/**
 * Returns what a registered conclusion comes to, to the last digit.
 *
 * @param flags each with its value: ["--scale", "ordinal"]
 */
export async function concluded(name: string, flags: readonly string[], table: string) {
  const options = flags.flatMap((flag, at) =>
    flag.startsWith("--") ? [[flag.slice(2), flags[at + 1]] as const] : [],
  );
  const found = await conclude(name, tableOf("sample.csv", table), Object.fromEntries(options));
  return JSON.stringify(found.json());
}

/** The rows of a Parquet table, from its bytes. */
export async function parquetRows(bytes: readonly number[]): Promise<string> {
  const source = tableOf("scores.parquet", Uint8Array.from(bytes));
  const rows = [];
  for await (const { row } of tableRows({ source, columns: { id: text, correct: scoreColumn } })) {
    rows.push(row);
  }
  return JSON.stringify(rows);
}
