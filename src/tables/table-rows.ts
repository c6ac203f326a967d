import { InputError } from "../core/errors.js";
import { listText } from "../core/list-text.js";
import type { TableBytes } from "./bytes.js";
import type { ColumnKinds, RowOf } from "./columns.js";
import type { TableFormat, TableItem } from "./format.js";
import { checkColumns, checkHeader, checkMap, type OtherShape, wantedColumns } from "./header.js";
import { tableItems } from "./items.js";
import { needs } from "./nested-value.js";
import { isSummary, mostAtEnd, noData } from "./no-data.js";
import { openTable } from "./open-table.js";
import { readRow, rowReading, withoutWords } from "./read-row.js";
import { type RowFilter, RowFilters } from "./row-filters.js";
import { RowProblems } from "./row-problems.js";
import { asksForFile, fileColumn, SharedHeader, tableNames } from "./several-files.js";
import { ToldWords } from "./told-words.js";
import { Twins } from "./twins.js";

/** One row, checked. */
export interface TableRow<Kinds extends ColumnKinds> {
  /** Where it starts: the line of JSONL and CSV, else the row; from 1, in its file. */
  readonly line: number;
  /** The file it stands in. */
  readonly name: string;
  /** Where it stands: "line 3", among several files "line 3 of b.csv". */
  readonly place: string;
  /** Name of a row that has none of its own: "row 3", the same in whatever format the table is. */
  readonly rowName: string;
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
  /**
   * The names of columns in what a verb of ours wrote, known by having all of these and `mark`: they then
   * stand in for the columns' own, where `map` names no other.
   */
  readonly written?: WrittenNames | undefined;
  /** Columns whose values together may stand in one row only. */
  readonly unique?: readonly (keyof Kinds & string)[];
  /** Says what is wrong with a row of which each column by itself is right. */
  readonly fault?: ((row: RowOf<Kinds>) => string | undefined) | undefined;
  /** Where the rows of a JSON document stand, such as `data.*`: see `readJsonTable`. */
  readonly rows?: string | undefined;
  /** Which rows are read; default all. */
  readonly where?: readonly RowFilter[] | undefined;
  /**
   * Words that mean that there is no answer, beside an empty cell and those that always do: "tie", "-1".
   */
  readonly unscored?: readonly string[] | undefined;
  /** Told in a sentence which words, such as n/a, were read as no answer. */
  readonly tell?: ((sentence: string) => void) | undefined;
  /** Where columns are missing: which flag of the verb reads a table that has these. */
  readonly otherShape?: OtherShape | undefined;
}

/** Column names of a table that a verb of ours writes, by the columns that another verb asks for. */
export interface WrittenNames {
  readonly mark: string;
  readonly names: Readonly<Record<string, string>>;
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
export async function* tableRows<const Kinds extends ColumnKinds>({
  source,
  format,
  columns: kinds,
  map = {},
  written,
  unique = [],
  fault = () => undefined,
  rows: rowsAt,
  where = [],
  unscored,
  tell,
  otherShape,
}: RowsRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const sources = "open" in source ? [source] : source;
  const names = tableNames(sources.map(({ name }) => name));
  checkMap(map, Object.keys(kinds));
  const told = new ToldWords();
  const columns = tell === undefined ? kinds : told.watching(kinds);
  const plain = wantedColumns(columns, map);
  const own = written && wantedColumns(columns, { ...written.names, ...map });
  let wanted = plain;
  const isFileAsked = asksForFile(wanted) || where.some(({ column }) => column === fileColumn);
  const noAnswer = new Set(unscored);

  const problems = new RowProblems();
  const header = new SharedHeader();
  const twins = new Twins(unique);
  const plainReading = rowReading(plain, noAnswer);
  const ownReading = own && rowReading(own, noAnswer);
  let reading = plainReading;
  const settle = (found: readonly string[]) => {
    const isOwn =
      written !== undefined &&
      [written.mark, ...Object.values(written.names)].every((name) => found.includes(name));
    wanted = (isOwn ? own : undefined) ?? plain;
    reading = (isOwn ? ownReading : undefined) ?? plainReading;
  };
  const filters = new RowFilters(where);
  let rows = 0;
  for (const each of sources) {
    const opened = await openTable(each, format);
    problems.open(opened, rows);
    const { name } = opened.source;
    const place = ["parquet", "json"].includes(opened.format) ? "row" : "line";
    const isText = opened.format === "csv";
    const file = { name, isText, isAlone: sources.length === 1 };
    const seen = new Set<string>();
    let newest: readonly string[] = [];
    const isNested = opened.format === "parquet";
    const about = { isText, seen };
    twins.begin({ name, place });
    const sums = new Map<
      unknown,
      { line: number; rows: number; problem: string | undefined } | undefined
    >();
    function* rowsOf(items: Iterable<TableItem>): Generator<TableRow<Kinds>> {
      for (const item of items) {
        if (item.kind === "columns") {
          checkHeader(item.names, name, (column) =>
            wanted.some((each) => needs(each.column, column)),
          );
          settle(item.names);
          for (const column of item.names) seen.add(column);
          if (isFileAsked) seen.add(fileColumn);
          // What a list holds, its rows tell.
          const shown = isNested ? wanted.filter(({ column }) => !leadsInto(column, seen)) : wanted;
          checkColumns({ wanted: shown, seen, name, otherShape });
          header.check(item.names, name);
          continue;
        }
        if (item.kind === "bad") {
          rows += 1;
          problems.addLine(item.line, item.problem);
          continue;
        }
        const { line } = item;
        const values = isFileAsked ? { [fileColumn]: name, ...item.values } : item.values;
        if (!filters.isEmpty && !filters.fit(values)) continue;
        rows += 1;
        if (!isText && opened.format !== "parquet") {
          const found = Object.keys(values);
          if (newest.length === 0) settle(found);
          if (!areSame(found, newest)) for (const column of found) seen.add(column);
          newest = found;
        }
        const { row, bad } = readRow<Kinds>(values, reading, about);
        for (const cell of bad) problems.addCell(line, item.key, cell);
        if (bad.length > 0) continue;
        const named = wanted.flatMap(({ target, column, kind }) =>
          kind.isAnyText === true ? [{ column, text: textIn(row, target) }] : [],
        );
        const summed = named.find(({ text }) => isSummary(text));
        if (summed !== undefined && !sums.has(summed.text)) {
          sums.set(summed.text, { line, rows, problem: noData(named, true) });
        } else if (summed !== undefined) sums.set(summed.text, undefined);
        const problem = noData(named, false) ?? twins.problem(row, line) ?? fault(row);
        if (problem !== undefined) problems.addLine(line, problem, { key: item.key });
        else yield new ReadRow(file, { line, number: rows }, row, withoutWords(values, noAnswer));
      }
    }
    for await (const items of tableItems(opened, rowsAt)) yield* rowsOf(items);
    for (const found of sums.values()) {
      if (found?.problem === undefined || rows < 2 * mostAtEnd - 1) continue;
      if (found.rows > rows - mostAtEnd) problems.addLine(found.line, found.problem);
    }
    // A part of a table may be empty, as clusters write them.
    if (seen.size > 0) checkColumns({ wanted, seen, name, otherShape });
  }
  filters.check(names, { rows });
  if (rows === 0) throw new InputError(`Expected rows in ${names} but it has none`);
  await problems.refuse(names, async (found, textColumns) => {
    if (twins.count !== found.length) return wayOut(found, textColumns);
    const { apartHint } = await import("./telling-columns.js");
    return apartHint({ tables: problems.files, rowsAt, wanted, unique });
  });
  const sentence = told.sentence(names);
  if (sentence !== undefined) tell?.(sentence);
}

/** Whether a name leads into a column that is there: `ratings.0` into `ratings`. */
export const leadsInto = (column: string, seen: ReadonlySet<string>) =>
  column.includes(".") && seen.has(column.slice(0, column.indexOf(".")));

const textIn = (row: object, target: string): string | undefined => {
  const value: unknown = Reflect.get(row, target);
  return typeof value === "string" ? value : undefined;
};

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
  /** Among the rows of all files, from 1. */
  readonly #number: number;
  readonly line: number;
  readonly row: RowOf<Kinds>;
  readonly all: Readonly<Record<string, unknown>>;

  constructor(
    file: RowsFile,
    { line, number }: { readonly line: number; readonly number: number },
    row: RowOf<Kinds>,
    all: Readonly<Record<string, unknown>>,
  ) {
    this.#file = file;
    this.line = line;
    this.#number = number;
    this.row = row;
    this.all = all;
  }

  get name(): string {
    return this.#file.name;
  }

  get isText(): boolean {
    return this.#file.isText;
  }

  get rowName(): string {
    return `row ${this.#number}`;
  }

  get place(): string {
    return `line ${this.line}${this.#file.isAlone ? "" : ` of ${this.name}`}`;
  }
}

/** A number as many programs write it in countries with decimal commas. */
const withComma = /a number .*but received "[-+]?[\d.]*,\d+"/;

/** Whether a row has a field more than the header, as R writes names of rows. */
function hasOneMore(problem: string): boolean {
  const [, expected, received] = /^Expected (\d+) fields.* received (\d+)/.exec(problem) ?? [];
  return expected !== undefined && Number(received) === Number(expected) + 1;
}

/** How to go on. */
export function wayOut(problems: readonly string[], textColumns: readonly string[]): string {
  if (textColumns.length > 0) {
    return `Store ${listText(textColumns)} as numbers, and no answer as null.`;
  }
  if (problems.some((problem) => withComma.test(problem))) {
    return 'Write numbers with a decimal point (pandas: pd.read_csv(…, decimal=","), then to_csv).';
  }
  if (problems.every((problem) => hasOneMore(problem))) {
    return (
      "Every row has one field more than the header: name the first column, or leave it out " +
      "(R: write.csv(…, row.names = FALSE)), or remove a comma at the end of the rows."
    );
  }
  return "Correct or remove these rows, then run the command again.";
}
