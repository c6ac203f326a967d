import { InputError } from "../core/errors.js";
import type { TableBytes } from "./bytes.js";
import type { Cell, ColumnKind, ColumnKinds, RowOf } from "./columns.js";
import { quoted, type TableFormat } from "./format.js";
import {
  checkColumns,
  checkHeader,
  checkMap,
  type OtherShape,
  type WantedColumn,
  wantedColumns,
} from "./header.js";
import { openTable, tableItems } from "./items.js";
import { cellAt } from "./nested-value.js";
import { Places } from "./places.js";
import { apartHint } from "./telling-columns.js";
import { Words } from "./words.js";

/** One row, checked. */
export interface TableRow<Kinds extends ColumnKinds> {
  /** Where it starts: the line of JSONL and CSV, else the row; from 1. */
  readonly line: number;
  /** The columns that were asked for. */
  readonly row: RowOf<Kinds>;
  /** All columns, as the format holds them and under the names they have there; null for a word of `unscored`. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Whether the format knows text only, so that a number is text, too. */
  readonly isText: boolean;
}

export interface RowsRequest<Kinds extends ColumnKinds> {
  readonly source: TableBytes;
  /** Default: by the name's ending, else by the first bytes. */
  readonly format?: TableFormat | undefined;
  readonly columns: Kinds;
  /** Where a column has another name in the table: `{ correct: "my_column" }`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Columns whose values together may stand in one row only. */
  readonly unique?: readonly (keyof Kinds & string)[];
  /** Where the rows of a JSON document stand, such as `data.*`: see `readJsonTable`. */
  readonly rows?: string | undefined;
  /**
   * Words that mean that there is no answer, beside an empty cell: "tie", "NA". Given where the user
   * can name some by --unscored, even if none was.
   */
  readonly unscored?: readonly string[] | undefined;
  /** Where columns are missing: which flag of the verb reads a table that has these. */
  readonly otherShape?: OtherShape | undefined;
}

/**
 * Streams the rows of a JSONL, CSV or Parquet table or a JSON document. A column's name may lead
 * into objects and arrays (`scores.0`) where the format has such. What is wrong with rows is found in one go
 * and thrown after the last row, so act on rows only when the loop has ended.
 *
 * @throws InputError where it is not UTF-8, columns are missing or it has no
 *   rows; and one with all bad rows as `problems`.
 * @example
 * for await (const { row } of tableRows({ source, columns: { id: text, correct: score } })) …
 */
export async function* tableRows<const Kinds extends ColumnKinds>({
  source,
  format,
  columns,
  map = {},
  unique = [],
  rows: rowsAt,
  unscored,
  otherShape,
}: RowsRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const { name } = source;
  checkMap(map, Object.keys(columns));
  const opened = await openTable(source, format);
  const place = ["parquet", "json"].includes(opened.format) ? "row" : "line";
  const isText = opened.format === "csv";
  const wanted = wantedColumns(columns, map);
  const noAnswer = new Set(unscored);

  const problems: string[] = [];
  const report = (line: number, problem: string, key?: string) =>
    problems.push(
      `${problem} (in ${name}, ${place} ${line}${key ? `, key ${key.slice(0, 60)}` : ""})`,
    );
  const seen = new Set<string>();
  const places = new Places();
  const words = new Words();
  let rows = 0;
  let twins = 0;
  for await (const item of tableItems(opened, rowsAt)) {
    if (item.kind === "columns") {
      checkHeader(item.names, name);
      for (const column of item.names) seen.add(column);
      checkColumns({ wanted, seen, name, otherShape });
      continue;
    }
    rows += 1;
    if (item.kind === "bad") {
      report(item.line, item.problem);
      continue;
    }
    const { line, values } = item;
    if (!isText && opened.format !== "parquet") {
      for (const column of Object.keys(values)) seen.add(column);
    }
    const { row, bad } = readRow<Kinds>(values, { wanted, isText, seen, noAnswer, words });
    for (const problem of bad) report(line, problem, item.key);
    if (bad.length > 0) continue;
    const twin = twinOf(row, unique, line, places);
    if (twin === undefined) yield { line, row, all: withoutWords(values, noAnswer), isText };
    else {
      twins += 1;
      report(line, `${twin.what} stands in ${place} ${twin.line} already`, item.key);
    }
  }
  if (rows === 0) throw new InputError(`Expected rows in ${name} but it has none`);
  if (seen.size > 0) checkColumns({ wanted, seen, name, otherShape });
  if (problems.length > 0) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new InputError(`Expected a sound table but found ${count} in ${name}`, {
      problems,
      hint: `Nothing was computed. ${
        twins > 0 && twins === problems.length
          ? await apartHint({ source, format: opened.format, rowsAt, wanted, unique })
          : wayOut(unscored === undefined ? [] : problems)
      }`,
    });
  }
}

/** What other programs write where there is no number. */
const wordForNothing = /or nothing for .* but received "(nan|n\/?a|none|null)"/i;

/** How to go on; where words for nothing are the trouble, by taking them for nothing. */
function wayOut(problems: readonly string[]): string {
  const words = new Set(problems.flatMap((problem) => wordForNothing.exec(problem)?.[1] ?? []));
  return words.size === 0
    ? "Correct or remove these rows, then run the command again."
    : `If this value means no answer: --unscored ${[...words].join(",")}`;
}

function readRow<Kinds extends ColumnKinds>(
  values: Readonly<Record<string, unknown>>,
  {
    wanted,
    isText,
    seen,
    noAnswer,
    words,
  }: {
    wanted: readonly WantedColumn[];
    isText: boolean;
    seen: Set<string>;
    noAnswer: ReadonlySet<string>;
    words: Words;
  },
): { row: RowOf<Kinds>; bad: string[] } {
  const bad: string[] = [];
  const row: Record<string, unknown> = {};
  for (const { target, column, kind } of wanted) {
    const found = cellAt(values, column);
    if (kind.isRequired && kind.mayLack !== true && found === undefined) {
      bad.push(`Expected a value for ${column} but the row has no such member`);
      continue;
    }
    if (found !== undefined && /[.+]/.test(column)) seen.add(column);
    const cell = readCell(kind, found?.value, { isText, noAnswer });
    if ("value" in cell) setOwn(row, target, words.one(cell.value));
    else bad.push(`Expected ${cell.expected} for ${column} but received ${quoted(found?.value)}`);
  }
  // Every column was read by its own kind; where one failed the row is not used.
  return { row: row as RowOf<Kinds>, bad };
}

/** A word for no answer is one only where there may be none: a metric may be called "tie". */
function readCell(
  kind: ColumnKind<unknown>,
  value: unknown,
  { isText, noAnswer }: { isText: boolean; noAnswer: ReadonlySet<string> },
): Cell<unknown> {
  if (isNoAnswer(value, noAnswer)) {
    const nothing = kind.read(null, { isText });
    if ("value" in nothing) return nothing;
  }
  return kind.read(value, { isText });
}

const isNoAnswer = (value: unknown, words: ReadonlySet<string>) =>
  words.size > 0 &&
  (typeof value === "string" || typeof value === "number") &&
  words.has(String(value).trim());

function withoutWords(
  values: Readonly<Record<string, unknown>>,
  words: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (words.size === 0) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNoAnswer(value, words) ? null : value]),
  );
}

/** Sets a member by any name: `__proto__` set in the plain way would be lost. */
function setOwn(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true });
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
  // A row that names nothing is the twin of none: raters, say, may be anonymous.
  if (values.includes(undefined)) return undefined;
  const earlier = places.firstLine(JSON.stringify(values), line);
  if (earlier === undefined) return undefined;
  const what = unique.map((column, index) => `${column} ${quoted(values[index])}`).join(" of ");
  return { what, line: earlier };
}
