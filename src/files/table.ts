import { InputError } from "../core/errors.js";
import type { ColumnKinds, RowOf } from "./table-columns.js";
import { quoted, type TableFormat } from "./table-format.js";
import { checkColumns, checkHeader, checkMap } from "./table-header.js";
import { openTable, tableItems } from "./table-items.js";
import { Places } from "./table-places.js";
import type { TableSource } from "./table-source.js";
import { Words } from "./table-words.js";

/** One row, checked. */
export interface TableRow<Kinds extends ColumnKinds> {
  /** Where it starts: the line of a text, the row of Parquet; from 1. */
  readonly line: number;
  /** The columns that were asked for. */
  readonly row: RowOf<Kinds>;
  /** All columns, as the format holds them and under the names they have there. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Whether the format knows text only, so that a number is text, too. */
  readonly isText: boolean;
}

export interface TableRequest<Kinds extends ColumnKinds> {
  readonly source: TableSource;
  /** Default: by the file's ending, else by its first bytes. */
  readonly format?: TableFormat | undefined;
  readonly columns: Kinds;
  /** Where a column has another name in the table: `{ correct: "my_column" }`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Columns whose values together may stand in one row only. */
  readonly unique?: readonly (keyof Kinds & string)[];
}

/**
 * Streams the rows of a JSONL, CSV or Parquet table. What is wrong with rows is found in one go
 * and thrown after the last row, so act on rows only when the loop has ended.
 *
 * @throws InputError where there is no such file, it is not UTF-8, columns are missing or it has no
 *   rows; and one with all bad rows as `problems`.
 * @example
 * for await (const { row } of readTable({ source, columns: { id: text, correct: score } })) …
 */
export async function* readTable<const Kinds extends ColumnKinds>({
  source,
  format,
  columns,
  map = {},
  unique = [],
}: TableRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const { name } = source;
  checkMap(map, Object.keys(columns));
  const opened = await openTable(source, format);
  const place = opened.format === "parquet" ? "row" : "line";
  const isText = opened.format === "csv";

  const problems: string[] = [];
  const report = (line: number, problem: string) =>
    problems.push(`${problem} (in ${name}, ${place} ${line})`);
  const seen = new Set<string>();
  const places = new Places();
  const words = new Words();
  let rows = 0;
  for await (const item of tableItems(opened)) {
    if (item.kind === "columns") {
      checkHeader(item.names, name);
      for (const column of item.names) seen.add(column);
      checkColumns({ columns, map, seen, name });
      continue;
    }
    rows += 1;
    if (item.kind === "bad") {
      report(item.line, item.problem);
      continue;
    }
    const { line, values } = item;
    if (opened.format === "jsonl") for (const column of Object.keys(values)) seen.add(column);
    const { row, bad } = readRow(values, { columns, map, isText, words });
    for (const problem of bad) report(line, problem);
    if (bad.length > 0) continue;
    const twin = twinOf(row, unique, line, places);
    if (twin === undefined) yield { line, row, all: values, isText };
    else report(line, `${twin.what} stands in ${place} ${twin.line} already`);
  }
  if (rows === 0) throw new InputError(`Expected rows in ${name} but it has none`);
  if (seen.size > 0) checkColumns({ columns, map, seen, name });
  if (problems.length > 0) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new InputError(`Expected a sound table but found ${count} in ${name}`, {
      problems,
      hint: "Nothing was computed. Mend these rows, or take them out, and give the command again.",
    });
  }
}

function readRow<Kinds extends ColumnKinds>(
  values: Readonly<Record<string, unknown>>,
  {
    columns,
    map,
    isText,
    words,
  }: {
    columns: Kinds;
    map: Readonly<Record<string, string>>;
    isText: boolean;
    words: Words;
  },
): { row: RowOf<Kinds>; bad: string[] } {
  const bad: string[] = [];
  const row: Record<string, unknown> = {};
  for (const [target, kind] of Object.entries(columns)) {
    const column = map[target] ?? target;
    if (kind.isRequired && !Object.hasOwn(values, column)) {
      bad.push(`Expected a value for ${column} but the row has no such member`);
      continue;
    }
    const cell = kind.read(values[column], { isText });
    if ("value" in cell) row[target] = words.one(cell.value);
    else {
      bad.push(`Expected ${cell.expected} for ${column} but received ${quoted(values[column])}`);
    }
  }
  // Every column was read by its own kind; where one failed the row is not used.
  return { row: row as RowOf<Kinds>, bad };
}

/** Notes a row's place under its unique values; what they are, and where, if they were there. */
function twinOf(
  row: Readonly<Record<string, unknown>>,
  unique: readonly string[],
  line: number,
  places: Places,
): { what: string; line: number } | undefined {
  if (unique.length === 0) return undefined;
  const values = unique.map((column) => row[column]);
  const earlier = places.firstLine(JSON.stringify(values), line);
  if (earlier === undefined) return undefined;
  const what = unique.map((column, index) => `${column} ${quoted(values[index])}`).join(" of ");
  return { what, line: earlier };
}
