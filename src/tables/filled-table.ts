import { groupBy } from "../core/arrays.js";
import { InputError } from "../core/errors.js";
import type { TableBytes } from "./bytes.js";
import { cellOf, csvLine } from "./cell-table.js";
import { quoted, type TableFormat } from "./format.js";
import { openTable } from "./open-table.js";
import { tableNames } from "./several-files.js";
import { tableRows } from "./table-rows.js";

type Row = Readonly<Record<string, unknown>>;

/**
 * Copies people's answers and draws into the rows of a table. A later file overwrites an earlier one. A row is known by
 * the columns that both have, but for `filled`.
 *
 * @param options.filled columns that are taken over, be they in both.
 * @returns a table as CSV, with the rows of the first.
 * @throws InputError where a row of another is of none, or of several, of the first.
 * @example of id,score,human with a,1, and of id,human with a,3: id,score,human with a,1,3
 */
export async function filledTable(
  first: TableBytes,
  others: readonly TableBytes[],
  options: {
    readonly filled: readonly string[];
    readonly format?: TableFormat | undefined;
    readonly rows?: string | undefined;
  },
): Promise<TableBytes> {
  const rows = (await rowsIn(first, options)).map((row) => ({ ...row }));
  const original = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = new Set(original);
  for (const other of others) {
    const its = await rowsIn(other, {});
    const own = [...new Set(its.flatMap((row) => Object.keys(row)))];
    const shared = own.filter((name) => original.has(name) && !options.filled.includes(name));
    const keyOf = (row: Row) => JSON.stringify(shared.map((name) => plain(row[name])));
    const known = groupBy(rows, keyOf);
    for (const [at, row] of its.entries()) {
      const [found, another] = shared.length === 0 ? [] : (known.get(keyOf(row)) ?? []);
      if (found === undefined || another !== undefined) {
        const names = shared.map((name) => `${name} ${quoted(row[name])}`).join(", ");
        throw new InputError(
          `Expected rows of ${first.name} in ${other.name} but row ${at + 1} (${names}) is of ` +
            `${found === undefined ? "none" : "several"} of them`,
          {
            hint: "--answered takes what label plan wrote, with answers: its other columns stay as they are",
          },
        );
      }
      for (const [name, cell] of Object.entries(row)) {
        if (shared.includes(name) || plain(cell) === "") continue;
        found[name] = cell;
        columns.add(name);
      }
    }
  }
  const names = [...columns];
  const encoder = new TextEncoder();
  return {
    name: tableNames([first.name, ...others.map(({ name }) => name)]),
    format: "csv",
    async *open() {
      yield encoder.encode(csvLine(names));
      for (const row of rows) yield encoder.encode(csvLine(names.map((name) => cellOf(row[name]))));
    },
  };
}

async function rowsIn(
  source: TableBytes,
  {
    format,
    rows: rowsAt,
  }: { readonly format?: TableFormat | undefined; readonly rows?: string | undefined },
): Promise<Record<string, unknown>[]> {
  const opened = await openTable(source, format);
  const request = { source: { ...opened.source, format: opened.format }, columns: {} };
  const found: Record<string, unknown>[] = [];
  const isJson = opened.format === "json";
  for await (const { all } of tableRows({ ...request, rows: isJson ? rowsAt : undefined })) {
    found.push({ ...all });
  }
  return found;
}

/** A cell as two tables have it alike: 0.50 is 0.5. */
function plain(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  const text = typeof cell === "object" ? JSON.stringify(cell) : String(cell).trim();
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? String(number) : text;
}
