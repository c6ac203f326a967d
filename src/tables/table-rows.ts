import { InputError } from "../core/errors.js";
import type { TableBytes } from "./bytes.js";
import type { ColumnKinds, RowOf } from "./columns.js";
import type { TableFormat, TableItem } from "./format.js";
import { checkColumns, checkHeader, checkMap, type OtherShape, wantedColumns } from "./header.js";
import { type OpenTable, openTable, tableItems } from "./items.js";
import { quickRows } from "./quick-rows.js";
import { readRow, rowReading, withoutWords } from "./read-row.js";
import { asksForFile, fileColumn, SharedHeader, tableNames } from "./several-files.js";
import { apartHint } from "./telling-columns.js";
import { Twins } from "./twins.js";

/** One row, checked. */
export interface TableRow<Kinds extends ColumnKinds> {
  /** Where it starts: the line of JSONL and CSV, else the row; from 1, in its file. */
  readonly line: number;
  /** The file it stands in. */
  readonly name: string;
  /** Name of a row that has none of its own: "line 3", among several files "line 3 of b.csv". */
  readonly place: string;
  /** The columns that were asked for. */
  readonly row: RowOf<Kinds>;
  /** All columns, as the format holds them and under the names they have there; null for a word of `unscored`. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Whether the format knows text only, so that a number is text, too. */
  readonly isText: boolean;
}

export interface RowsRequest<Kinds extends ColumnKinds> {
  /** One file, or several that are read as one table, one after the other. */
  readonly source: TableBytes | readonly TableBytes[];
  /** Default: by the name's ending, else by the first bytes. */
  readonly format?: TableFormat | undefined;
  readonly columns: Kinds;
  /**
   * Where a column has another name in the table: `{ correct: "my_column" }`. `filename` is the file that a
   * row stands in, where no column has that name.
   */
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
 * Streams the rows of a JSONL, CSV or Parquet table or a JSON document, or of several as one. A column's
 * name may lead into objects and arrays (`scores.0`) where the format has such. What is wrong with rows is
 * found in one go and thrown after the last row, so act on rows only when the loop has ended.
 *
 * @throws InputError where it is not UTF-8, columns are missing, files differ in their columns, or there are
 *   no rows; and one with all bad rows as `problems`.
 * @example
 * for await (const { row } of tableRows({ source, columns: { id: text, correct: score } })) …
 */
export async function* tableRows<const Kinds extends ColumnKinds>(
  request: RowsRequest<Kinds>,
): AsyncGenerator<TableRow<Kinds>> {
  for await (const rows of rowsTogether(request)) yield* rows;
}

/**
 * The same, as many rows at a time as come together, for who reads millions: to wait for each takes as long
 * as to read it. Each time, take all before the next.
 */
export async function* rowsTogether<const Kinds extends ColumnKinds>({
  source,
  format,
  columns,
  map = {},
  unique = [],
  rows: rowsAt,
  unscored,
  otherShape,
  areBare = false,
}: RowsRequest<Kinds> & {
  /** Whether nobody asks the rows for `all`: they then need not have it. */
  readonly areBare?: boolean;
}): AsyncGenerator<Iterable<TableRow<Kinds>>> {
  const sources = "open" in source ? [source] : source;
  const names = tableNames(sources.map(({ name }) => name));
  checkMap(map, Object.keys(columns));
  const wanted = wantedColumns(columns, map);
  const isFileAsked = asksForFile(wanted);
  const noAnswer = new Set(unscored);

  const problems: string[] = [];
  const tables: OpenTable[] = [];
  const header = new SharedHeader();
  const twins = new Twins(unique);
  const reading = rowReading(wanted, noAnswer);
  let rows = 0;
  for (const each of sources) {
    const opened = await openTable(each, format);
    tables.push(opened);
    const { name } = opened.source;
    const place = ["parquet", "json"].includes(opened.format) ? "row" : "line";
    const isText = opened.format === "csv";
    const file = { name, isText, isAlone: sources.length === 1 };
    const seen = new Set<string>();
    let newest: readonly string[] = [];
    const about = { isText, seen };
    twins.begin({ name, place });
    const report = (line: number, problem: string, key?: string) =>
      problems.push(
        `${problem} (in ${name}, ${place} ${line}${key ? `, key ${key.slice(0, 60)}` : ""})`,
      );
    function* rowsOf(items: Iterable<TableItem>): Generator<TableRow<Kinds>> {
      for (const item of items) {
        if (item.kind === "columns") {
          checkHeader(item.names, name);
          for (const column of item.names) seen.add(column);
          if (isFileAsked) seen.add(fileColumn);
          checkColumns({ wanted, seen, name, otherShape });
          header.check(item.names, name);
          continue;
        }
        if (item.kind === "quick") {
          rows += item.rows.length;
          for (const [at, { row, hash }] of item.rows.entries()) {
            const line = item.line + at;
            const twin = twins.problem(row, line, hash);
            // Every column was read by its own kind.
            if (twin === undefined) yield new ReadRow(file, line, row as RowOf<Kinds>, nothing);
            else report(line, twin);
          }
          continue;
        }
        rows += 1;
        if (item.kind === "bad") {
          report(item.line, item.problem);
          continue;
        }
        const { line } = item;
        const values = isFileAsked ? { [fileColumn]: name, ...item.values } : item.values;
        if (!isText && opened.format !== "parquet") {
          const found = Object.keys(values);
          if (!areSame(found, newest)) for (const column of found) seen.add(column);
          newest = found;
        }
        const { row, bad } = readRow<Kinds>(values, reading, about);
        for (const problem of bad) report(line, problem, item.key);
        if (bad.length > 0) continue;
        const twin = twins.problem(row, line, twins.hashOf(row));
        if (twin === undefined) yield new ReadRow(file, line, row, withoutWords(values, noAnswer));
        else report(line, twin, item.key);
      }
    }
    const quickly = areBare
      ? (found: readonly string[], delimiter: string) =>
          isFileAsked ? undefined : quickRows(found, { reading, unique, delimiter })
      : undefined;
    for await (const items of tableItems(opened, rowsAt, quickly)) yield rowsOf(items);
    // A part of a table may be empty, as clusters write them.
    if (seen.size > 0) checkColumns({ wanted, seen, name, otherShape });
  }
  if (rows === 0) throw new InputError(`Expected rows in ${names} but it has none`);
  if (problems.length > 0) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new InputError(`Expected a sound table but found ${count} in ${names}`, {
      problems,
      hint: `Nothing was computed. ${
        twins.count > 0 && twins.count === problems.length
          ? await apartHint({ tables, rowsAt, wanted, unique })
          : wayOut(unscored === undefined ? [] : problems)
      }`,
    });
  }
}

const nothing: Readonly<Record<string, unknown>> = {};

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

/** Context that the rows of one file share. */
interface RowsFile {
  readonly name: string;
  readonly isText: boolean;
  /** Whether it is the only one that is read. */
  readonly isAlone: boolean;
}

/** Most readers of a row ask for some of it: the rest is made when it is asked for. */
class ReadRow<Kinds extends ColumnKinds> implements TableRow<Kinds> {
  readonly #file: RowsFile;
  readonly line: number;
  readonly row: RowOf<Kinds>;
  readonly all: Readonly<Record<string, unknown>>;

  constructor(
    file: RowsFile,
    line: number,
    row: RowOf<Kinds>,
    all: Readonly<Record<string, unknown>>,
  ) {
    this.#file = file;
    this.line = line;
    this.row = row;
    this.all = all;
  }

  get name(): string {
    return this.#file.name;
  }

  get isText(): boolean {
    return this.#file.isText;
  }

  get place(): string {
    return `line ${this.line}${this.#file.isAlone ? "" : ` of ${this.name}`}`;
  }
}

/** Texts by which other programs mark a missing number. */
const wordForNothing = /or nothing for .* but received "(nan|n\/?a|none|null)"/i;

/** How to go on; where words for nothing are the trouble, by taking them for nothing. */
function wayOut(problems: readonly string[]): string {
  const words = new Set(problems.flatMap((problem) => wordForNothing.exec(problem)?.[1] ?? []));
  return words.size === 0
    ? "Correct or remove these rows, then run the command again."
    : `If this value means no answer: --unscored ${[...words].join(",")}`;
}
