import { InputError } from "../core/errors.js";
import { codesTogether, type RowCodes } from "../core/row-codes.js";
import { isTextColumn, nameCount } from "../core/text-column.js";
import { tableBlocks } from "./blocks.js";
import type { TableBytes } from "./bytes.js";
import type { Reading } from "./cell-reading.js";
import { type Block, Cells, type ColumnAsk, rowsAtOnce, rowValues } from "./cells.js";
import type { ColumnStore } from "./column-stores.js";
import type { ColumnKind, ColumnKinds } from "./columns.js";
import { PointWatches } from "./decimal-comma.js";
import { quoted } from "./format.js";
import {
  checkColumns,
  checkHeader,
  checkMap,
  type OtherShape,
  type WantedColumn,
  wantedColumns,
} from "./header.js";
import { cellAt, needs, partsOf } from "./nested-value.js";
import { alikeNames, mostNames } from "./no-data.js";
import { type OpenTable, openTable } from "./open-table.js";
import { RowFilters } from "./row-filters.js";
import { RowProblems } from "./row-problems.js";
import { RowStates } from "./row-states.js";
import { asksForFile, fileColumns, SharedHeader, tableNames } from "./several-files.js";
import type { TableRequest } from "./shapes.js";
import { ToldWords } from "./telling-columns.js";

/** What is asked of a table by whoever takes its columns or its rows. */
export interface AskedTable extends Omit<TableRequest<ColumnKinds>, "source" | "shape"> {
  readonly kinds: ColumnKinds;
  /** Columns whose values together may stand in one row only: their stores keep all rows. */
  readonly unique: readonly string[];
  readonly otherShape?: OtherShape | undefined;
  /** Further names that `map` may have. */
  readonly others?: readonly string[];
  /** Whether somebody else reads the cells of a column of the kinds, too. */
  readonly shared?: ((column: string) => boolean) | undefined;
  /** Where the cells of a column go. */
  storeOf(reading: Reading, target: string): ColumnStore;
  /**
   * How a column that is not among the kinds is read; undefined where it isn't. Without this all cells are read, as
   * the format holds them.
   */
  readonly ask?: (column: string) => ColumnAsk | undefined;
}

/** A column that is asked for, and where its cells go. */
export interface Wanted extends WantedColumn {
  readonly store: ColumnStore;
}

/** A block of rows whose columns were taken; holds until the next is asked for. */
export interface TakenBlock extends Pick<Block, "lines" | "columns" | "keys"> {
  /** The rows that fit the filters, by their places in the block. */
  readonly rows: Int32Array;
  readonly count: number;
  /** Number of the first one in the table. */
  readonly at: number;
  readonly isText: boolean;
  /** The file's name, where it is asked for as a column. */
  readonly fileName: string | undefined;
}

/** Reads files as one table: finds its columns, filters its rows, and notes all that is wrong with them. */
export class TableReader {
  /** Names the table in sentences. */
  readonly name: string;
  readonly rows: RowProblems;
  /** The columns as they are named in the file that is read. */
  wanted: readonly Wanted[];
  /** Rows that were taken. */
  length = 0;
  /** Rows of these that have a cell which their kind can't read. */
  readonly badRows = new Set<number>();
  readonly #asked: AskedTable;
  readonly #sources: readonly TableBytes[];
  readonly noAnswer: ReadonlySet<string>;
  readonly told = new ToldWords();
  readonly points = new PointWatches();
  readonly #states = new RowStates();
  readonly #filters: RowFilters;
  readonly #header = new SharedHeader();
  readonly #plain: readonly Wanted[];
  readonly #written: readonly (readonly Wanted[])[];
  readonly #held = new Set<string>();
  /** Names by which cells were found: of columns, of what columns hold, of several joined, or the file's. */
  readonly #found = new Set<string>();
  readonly #isFileAsked: boolean;
  /** Rows that could not be taken. */
  #lost = 0;
  #repeatedRows = 0;

  constructor(source: TableBytes | readonly TableBytes[], asked: AskedTable) {
    this.#asked = asked;
    this.#sources = "open" in source ? [source] : source;
    this.name = tableNames(this.#sources.map(({ name }) => name));
    this.rows = new RowProblems(this.#sources.length > 1);
    const { kinds, map = {}, where = [], unscored, tell, written = [], others = [] } = asked;
    const mappable = Object.keys(kinds).filter((name) => kinds[name]?.column === undefined);
    checkMap(map, [...mappable, ...others]);
    const watched = tell === undefined ? kinds : this.told.watching(kinds);
    this.noAnswer = new Set(unscored);
    this.#filters = new RowFilters(where);
    const own = Object.fromEntries(Object.entries(map).filter(([to]) => !others.includes(to)));
    const stores = new Map<string, ColumnStore>();
    const named = (names: Readonly<Record<string, string>>): Wanted[] =>
      wantedColumns(watched, names).map((each) => {
        const { column, kind, target } = each;
        const key = JSON.stringify([target, column]);
        const store =
          stores.get(key) ?? asked.storeOf({ column, kind, noAnswer: this.noAnswer }, target);
        stores.set(key, store);
        return { ...each, store };
      });
    this.#plain = named(own);
    this.#written = written.map(({ names }) => named({ ...names, ...own }));
    this.wanted = this.#plain;
    this.#isFileAsked =
      [this.#plain, ...this.#written].some(asksForFile) ||
      fileColumns.some((column) => this.#filters.asks(column));
  }

  /** Whether some file has a column, or something within its columns, under the name that was asked for. */
  has(column: string): boolean {
    return this.#held.has(column) || this.#found.has(column);
  }

  /** Every column that is there. */
  get names(): string[] {
    return [...this.#held];
  }

  /** @throws InputError where a file can't be read, lacks columns, or has others than the first. */
  async *blocks(): AsyncGenerator<TakenBlock> {
    for (const source of this.#sources) {
      const file = await openTable(source, this.#asked.format);
      this.rows.open(file, this.length);
      const seen = new Set<string>();
      yield* this.#blocksOf(file, seen);
      // A part of a table may be empty, as clusters write them.
      if (seen.size > 0) this.#checkColumns(this.wanted, seen, file);
    }
    this.#filters.check(this.name, { rows: this.length + this.#lost });
    if (this.length + this.#lost === 0) {
      throw new InputError(`Expected rows in ${this.name} but it has none`, {
        hint: "touchstone example prints a sample of what a verb reads",
      });
    }
  }

  #checkColumns(wanted: readonly Wanted[], seen: ReadonlySet<string>, { source }: OpenTable): void {
    checkColumns({ wanted, seen, name: source.name, otherShape: this.#asked.otherShape });
  }

  async *#blocksOf(file: OpenTable, seen: Set<string>): AsyncGenerator<TakenBlock> {
    const { source, format } = file;
    const { name } = source;
    const isText = format === "csv";
    let taken = 0;
    const asker = {
      names: (found: readonly string[], isHeader: boolean) => {
        this.#settle(found);
        if (this.#isFileAsked) for (const column of fileColumns) seen.add(column);
        if (!isHeader) return;
        checkHeader(found, name, (column) => this.#isNeeded(column));
        for (const column of found) seen.add(column);
        // What a list holds, its rows tell.
        const shown =
          format === "parquet"
            ? this.wanted.filter(({ column }) => !leadsInto(column, seen))
            : this.wanted;
        this.#checkColumns(shown, seen, file);
        this.#header.check(found, name);
      },
      column: (column: string) => {
        seen.add(column);
        this.#held.add(column);
        const ask = this.#askFor(column);
        if (ask !== undefined) taken += 1;
        if (taken > mostColumns) throw tooManyColumns(name);
        return ask && { ...ask, points: this.points.of(column) };
      },
    };
    const fileName = this.#isFileAsked ? name : undefined;
    const named = fileName === undefined ? undefined : allOf(fileName);
    const all = Int32Array.from({ length: rowsAtOnce }, (_, row) => row);
    const fitting = new Int32Array(rowsAtOnce);
    for await (const block of tableBlocks(file, this.#asked.rows, asker)) {
      const { columns, lines, keys } = block;
      const cellsOf = (column: string): Cells | undefined =>
        columns.get(column) ?? (fileColumns.includes(column) ? named : undefined);
      const isAll = this.#filters.isEmpty;
      const rows = isAll ? all : fitting;
      const count = isAll ? block.count : this.#filters.fitting(block.count, cellsOf, fitting);
      const at = this.length;
      this.rows.reserve(at + count);
      for (let place = 0; place < count; place++)
        this.rows.setLine(at + place, lines[rows[place] ?? 0] ?? 0);
      for (const { line, problem, key } of block.bad) {
        this.#lost += 1;
        this.rows.addLine(line, problem, { key });
      }
      for (const [column, cells] of columns) {
        if (this.#isState(column)) this.#states.note(column, cells, rows.subarray(0, count));
      }
      for (const { column, mayLeadOn, store } of this.wanted) {
        const own = cellsOf(column);
        const cells = own ?? (mayLeadOn ? deeperCells(column, block.count, cellsOf) : undefined);
        if (cells !== undefined && own === undefined) seen.add(column);
        if (cells !== undefined) this.#found.add(column);
        store.take(cells, {
          rows,
          count,
          at,
          isText,
          bad: (place, cell) => {
            const row = rows[place] ?? 0;
            this.rows.addCell(lines[row] ?? 0, keys?.[row], cell);
            this.badRows.add(at + place);
          },
        });
      }
      this.length += count;
      yield { lines, columns, keys, rows, count, at, isText, fileName };
    }
  }

  /** Decides by which names the table has its columns. */
  #settle(found: readonly string[]): void {
    const isThere = (name: string) => found.includes(name) || fileColumns.includes(name);
    const at = (this.#asked.written ?? []).findIndex(({ mark, names }) =>
      [mark, ...Object.values(names)].every(isThere),
    );
    this.wanted = this.#written[at] ?? this.#plain;
  }

  /** The columns that a column of the file is read for. */
  #readings(column: string): readonly Wanted[] {
    return this.wanted.filter(
      ({ column: own, mayLeadOn }) => own === column || (mayLeadOn && needs(own, column)),
    );
  }

  #isNeeded(column: string): boolean {
    return this.#readings(column).length > 0 || this.#filters.asks(column);
  }

  /** Whether a column that nobody asks for says which rows are left out elsewhere. */
  #isState = (column: string): boolean =>
    this.#states.asks(column) && !this.#isNeeded(column) && this.#asked.ask?.(column) === undefined;

  #askFor(column: string): ColumnAsk | undefined {
    const { ask } = this.#asked;
    if (ask === undefined) return {};
    if (!this.#isNeeded(column)) return ask(column) ?? (this.#isState(column) ? {} : undefined);
    const [only, ...more] = this.#readings(column);
    const isShared = this.#filters.asks(column) || this.#asked.shared?.(column) === true;
    const isAlone = more.length === 0 && only?.column === column && !isShared;
    if (!isAlone) return {};
    return { isNumber: this.numberTest(only.kind), dictionary: only.store.dictionary };
  }

  /** Tests if cells of plain digits are numbers; undefined where a number may be a word. */
  numberTest({ isNumber }: ColumnKind<unknown>): ColumnAsk["isNumber"] {
    return this.noAnswer.size === 0 ? isNumber : undefined;
  }

  /** Notes rows whose values stand together in an earlier one. */
  noteRepeated(): void {
    const { unique } = this.#asked;
    const found = this.wanted.filter(({ target }) => unique.includes(target));
    const columns = unique.flatMap((name) => found.filter(({ target }) => target === name));
    if (columns.length === 0) return;
    const cells = columns.map(({ store }) => store.column(this.length));
    for (const { row, first } of repeatedRows(cells, this.length, this.badRows)) {
      this.#repeatedRows += 1;
      const what = columns
        .map(({ target, store }) => `${target} ${quoted(store.value(row, undefined))}`)
        .join(" of ");
      this.rows.add(row, `${what} stands in ${this.rows.placeFrom(first, row)} already`);
    }
  }

  /** @throws InputError with all that is wrong with rows. */
  refuse(): Promise<void> {
    return this.rows.refuse(this.name, async (problems) => {
      if (this.#repeatedRows !== problems.length) return undefined;
      const { apartHint } = await import("./telling-columns.js");
      const { rows: rowsAt, unique } = this.#asked;
      return apartHint({ tables: this.rows.files, rowsAt, wanted: this.wanted, unique });
    });
  }

  /** Tells words read as no answer, alike names, doubtful points (also of `numbers`, further columns), rows left out elsewhere. */
  tell(numbers: readonly string[] = []): void {
    const { tell } = this.#asked;
    if (tell === undefined) return;
    const sentence = this.told.sentence(this.name);
    if (sentence !== undefined) tell(sentence);
    for (const { column, store } of this.wanted) {
      const alike = alikeNames(column, store.names?.(mostNames) ?? []);
      if (alike !== undefined) tell(alike, true);
    }
    const named = this.wanted.flatMap(({ column, kind }) => (kind.holds === "text" ? [] : column));
    for (const points of this.points.sentences([...named, ...numbers])) tell(points, true);
    // A verb that filters rows gives a list of filters, be it empty.
    const canFilter = this.#asked.where !== undefined;
    for (const state of this.#states.sentences(canFilter)) tell(state, true);
  }
}

/** The cells of no more columns are held at once: each takes up to 96 KB. */
const mostColumns = 16_384;

const tooManyColumns = (name: string): InputError =>
  new InputError(`Expected at most ${mostColumns} columns but ${name} has more`, {
    hint: "Where names of rows are columns, write a row for each of them",
  });

/** Cells that are all one text. */
function allOf(text: string): Cells {
  const cells = new Cells();
  cells.makeRoom(rowsAtOnce);
  cells.codes.fill(cells.dictionary.codeOf(text));
  return cells;
}

/** Whether a name leads into a column that is there: `ratings.0` into `ratings`. */
const leadsInto = (column: string, seen: ReadonlySet<string>) =>
  column.includes(".") && seen.has(column.slice(0, column.indexOf(".")));

/** The cells of a name that leads into objects or joins columns; undefined where no row has it. */
function deeperCells(
  name: string,
  count: number,
  cellsOf: (column: string) => Cells | undefined,
): Cells | undefined {
  const roots = [...new Set(partsOf(name).flatMap((part) => [part, part.split(".")[0] ?? part]))];
  const found = roots.flatMap((root) => {
    const cells = cellsOf(root);
    return cells === undefined ? [] : [[root, cells] as const];
  });
  if (found.length === 0) return undefined;
  const made = new Cells();
  made.makeRoom(count);
  let isThere = false;
  for (let row = 0; row < count; row++) {
    const cell = cellAt(rowValues(found, row), name);
    if (cell === undefined) continue;
    isThere = true;
    made.put(row, cell.value);
  }
  return isThere ? made : undefined;
}

/**
 * Finds rows that have the same values in all of some columns, in the order of the rows. A row that lacks one of
 * them repeats none.
 *
 * @param skipped rows that are left out.
 * @returns each such row with the first one that has its values.
 */
function repeatedRows(
  columns: readonly unknown[],
  length: number,
  skipped: ReadonlySet<number>,
): { readonly row: number; readonly first: number }[] {
  const { codes, count } = columns.map((column) => coded(column, length)).reduce(codesTogether);
  const firstOf = new Int32Array(count).fill(-1);
  const found: { row: number; first: number }[] = [];
  for (let row = 0; row < length; row++) {
    const code = codes[row] ?? -1;
    if (code < 0 || skipped.has(row)) continue;
    const first = firstOf[code] ?? -1;
    if (first < 0) firstOf[code] = row;
    else found.push({ row, first });
  }
  return found;
}

/** Numbers of a column's values, -1 for none. */
function coded(column: unknown, length: number): RowCodes {
  if (isTextColumn(column)) return { codes: column.codes, count: nameCount(column) };
  const values = column as ArrayLike<unknown>;
  const known = new Map<unknown, number>();
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const value = values[row];
    const isNone = value === undefined || value === null || Number.isNaN(value);
    const key = typeof value === "object" ? JSON.stringify(value) : value;
    const code = isNone ? -1 : (known.get(key) ?? known.size);
    if (code >= 0) known.set(key, code);
    codes[row] = code;
  }
  return { codes, count: known.size };
}
