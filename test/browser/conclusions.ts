import { givenOf } from "../../src/cli/command-line/given-of.js";
import { conclusionNamed } from "../../src/conclusions/conclusions.js";
import type { GivenTable } from "../../src/conclusions/table-options.js";
import { tableOf } from "../../src/tables/bytes.js";
import { score, text } from "../../src/tables/columns.js";
import { tableRows } from "../../src/tables/table-rows.js";

/**
 * Returns what a registered conclusion comes to, to the last digit.
 *
 * @param flags each with its value: ["--scale", "ordinal"]
 */
export async function concluded(name: string, flags: readonly string[], table: string) {
  const { default: verb } = await conclusionNamed(name).load();
  const filled = flags.flatMap((flag, at) =>
    flag.startsWith("--") ? [[flag.slice(2), flags[at + 1]] as const] : [],
  );
  const given = givenOf({ file: "-", ...Object.fromEntries(filled) }, verb.arguments, name);
  // It was read against the conclusion's own declarations.
  const found = await verb.conclude(given as unknown as GivenTable, {
    table: async () => tableOf("sample.csv", table),
    text: async () => "",
  });
  return JSON.stringify(found.json());
}

/** The rows of a Parquet table, from its bytes. */
export async function parquetRows(bytes: readonly number[]): Promise<string> {
  const source = tableOf("scores.parquet", Uint8Array.from(bytes));
  const rows = [];
  for await (const { row } of tableRows({ source, columns: { id: text, correct: score } })) {
    rows.push(row);
  }
  return JSON.stringify(rows);
}
