import { InputError } from "../core/errors.js";
import type { TextColumn } from "../core/text-column.js";
import { tableBlocks } from "./blocks.js";
import type { TableBytes } from "./bytes.js";
import { type Asker, Cells, rowsAtOnce } from "./cells.js";
import { type ColumnStore, columnStore, FoundStore } from "./column-stores.js";
import { type ColumnKind, type ColumnKinds, type RowOf, score } from "./columns.js";
import { quoted, type TableFormat } from "./format.js";
import { checkColumns, checkHeader, checkMap, type WantedColumn, wantedColumns } from "./header.js";
import { cellAt, needs, partsOf } from "./nested-value.js";
import { alikeNames, isSummary, mostAtEnd, mostNames, noData } from "./no-data.js";
import { type OpenTable, openTable } from "./open-table.js";
import { type BadCell, badCellText } from "./read-row.js";
import { type RowFilter, RowFilters } from "./row-filters.js";
import { asksForFile, fileColumn, SharedHeader, tableNames } from "./several-files.js";
import type { ColumnsOf, Table, TableShape } from "./shapes.js";
import { type Sides, sidesApart, sidesTogether } from "./side-by-side.js";
import { leadsInto, type WrittenNames, wayOut } from "./table-rows.js";
import { ToldWords } from "./told-words.js";
import { twins } from "./twin-rows.js";

/** A table that is asked for in columns. */
export interface TableRequest<Kinds extends ColumnKinds> {
  /** One file, or several that are read as one table, one after the other. */
  readonly source: TableBytes | readonly TableBytes[];
  /** Default: by the name's ending, else by the first bytes. */
  readonly format?: TableFormat | undefined;
  /** Which columns, in which shape. */
  readonly shape: TableShape<Kinds>;
  /** Where a column has another name in the table: `{ correct: "my_column" }`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Names of columns in what a verb of ours wrote: see `RowsRequest`. */
  readonly written?: WrittenNames | undefined;
  /** Where the rows of a JSON document stand, such as `data.*`. */
  readonly rows?: string | undefined;
  /** Which rows are read; default all. */
  readonly where?: readonly RowFilter[] | undefined;
  /** Words that mean that there is no answer, beside an empty cell and those that always do. */
  readonly unscored?: readonly string[] | undefined;
  /** Told, a sentence each, how cells were read that could be meant otherwise; `isWarning` where figures may be wrong. */
  readonly tell?: ((sentence: string, isWarning?: boolean) => void) | undefined;
}

/**
 * Reads a whole table into columns: each text once, a row as a number for each column.
 *
 * @throws InputError where it can't be read, columns are missing or there are no rows; and one with all that is
 *   wrong with rows as `problems`.
 * @example
 * const { length, columns } = await readTable({ source, shape: { kinds: { id: text, correct: score } } });
 * columns.id.names[columns.id.codes[0] ?? -1] // the first row's id
 */
export async function readTable<const Kinds extends ColumnKinds>(
  request: TableRequest<Kinds>,
): Promise<Table<Kinds>> {
  const sources = "open" in request.source ? [request.source] : request.source;
  // What the shape's check is given has the columns of its kinds.
  const asked = request as unknown as TableRequest<ColumnKinds>;
  const reader = new TableReader(asked, tableNames(sources.map(({ name }) => name)));
  for (const source of sources) await reader.read(await openTable(source, request.format));
  return (await reader.table()) as Table<Kinds>;
}

/** A column that is asked for, and where its cells go. */
interface Wanted extends WantedColumn {
  readonly store: ColumnStore;
}

/** What is wrong with a row, and where it stands. */
interface Problem {
  readonly file: number;
  readonly line: number;
  text: string;
}

class TableReader {
  readonly #request: TableRequest<ColumnKinds>;
  readonly #name: string;
  readonly #noAnswer: ReadonlySet<string>;
  readonly #told = new ToldWords();
  readonly #filters: RowFilters;
  readonly #header = new SharedHeader();
  readonly #wanted: readonly Wanted[];
  readonly #written: readonly Wanted[] | undefined;
  /** The columns as they are named in the table that is read. */
  #now: readonly Wanted[];
  readonly #found = new Map<string, FoundStore>();
  readonly #files: OpenTable[] = [];
  /** Number of the first row of each file. */
  readonly #starts: number[] = [];
  #lines = new Int32Array(1024);
  #length = 0;
  /** Rows that could not be taken. */
  #bad = 0;
  readonly #badRows = new Set<number>();
  readonly #problems: Problem[] = [];
  /** Columns whose numbers are text in a format that has numbers, by file. */
  readonly #asText = new Map<
    string,
    { readonly problem: Problem; readonly at: string; rows: number }
  >();
  #twins = 0;
  readonly #held = new Set<string>();

  constructor(request: TableRequest<ColumnKinds>, name: string) {
    this.#request = request;
    this.#name = name;
    const { shape, map = {}, where = [], unscored, tell, written } = request;
    const { kinds, sideBySide } = shape;
    const asked = sideBySide === undefined ? kinds : sidesApart(kinds, sideBySide);
    const sides = typeof sideBySide?.given === "function" ? sideBySide.values : [];
    checkMap(map, [...Object.keys(asked), ...sides]);
    const watched = tell === undefined ? asked : this.#told.watching(asked);
    this.#noAnswer = new Set(unscored);
    this.#filters = new RowFilters(where);
    const own = Object.fromEntries(Object.entries(map).filter(([to]) => !sides.includes(to)));
    const stores = new Map<string, ColumnStore>();
    const named = (names: Readonly<Record<string, string>>): Wanted[] =>
      wantedColumns(watched, names).map((column) => {
        const reading = { column: column.column, kind: column.kind, noAnswer: this.#noAnswer };
        const key = JSON.stringify([column.target, column.column]);
        const store = stores.get(key) ?? columnStore(reading);
        stores.set(key, store);
        return { ...column, store };
      });
    this.#wanted = named(own);
    this.#written = written && named({ ...written.names, ...own });
    this.#now = this.#wanted;
  }

  async read(file: OpenTable): Promise<void> {
    const { name } = file.source;
    const isFirst = this.#files.length === 0;
    this.#files.push(file);
    this.#starts.push(this.#length);
    this.#asText.clear();
    const seen = new Set<string>();
    const isText = file.format === "csv";
    const isNested = file.format === "parquet";
    const { others, otherShape, sideBySide } = this.#request.shape;
    const isFound = typeof sideBySide?.given === "function";
    const isFileAsked = asksForFile(this.#wanted) || this.#filters.asks(fileColumn);
    if (isFileAsked) seen.add(fileColumn);
    const needed = (column: string) =>
      this.#now.filter(
        ({ column: own, mayLeadOn }) => own === column || (mayLeadOn && needs(own, column)),
      );
    let isWhole = isFirst;
    let areNamed = false;
    await this.#take(
      file,
      seen,
      {
        names: (found, isHeader) => {
          this.#settle(found);
          areNamed = isHeader;
          if (!isHeader) return;
          checkHeader(
            found,
            name,
            (column) => needed(column).length > 0 || this.#filters.asks(column),
          );
          for (const column of found) seen.add(column);
          // What a list holds, its rows tell.
          const shown = isNested
            ? this.#now.filter(({ column }) => !leadsInto(column, seen))
            : this.#now;
          checkColumns({ wanted: shown, seen, name, otherShape });
          this.#header.check(found, name);
          isWhole = true;
        },
        column: (column) => {
          seen.add(column);
          this.#held.add(column);
          const readings = needed(column);
          const isFiltered = this.#filters.asks(column);
          const [only] = readings;
          if (only === undefined) {
            if (isFiltered) return {};
            return isFound || others?.(column) === true
              ? { isNumber: this.#numberKind(score) }
              : undefined;
          }
          const isAlone = readings.length === 1 && !isFiltered && only.column === column;
          return {
            isNumber: isAlone ? this.#numberKind(only.kind) : undefined,
            dictionary: isAlone ? only.store.dictionary : undefined,
          };
        },
      },
      { isText, isFileAsked, isFound },
    );
    if (isWhole && !areNamed && this.#length === (this.#starts.at(-1) ?? 0) && seen.size === 0)
      return;
    // A part of a table may be empty, as clusters write them.
    if (seen.size > 0) checkColumns({ wanted: this.#now, seen, name, otherShape });
  }

  /** Whether cells of plain digits are numbers: not where a number may be a word. */
  #numberKind({ isNumber }: ColumnKind<unknown>) {
    return this.#noAnswer.size === 0 ? isNumber : undefined;
  }

  /** Decides by which names the table has its columns. */
  #settle(found: readonly string[]): void {
    const { written } = this.#request;
    const isOwn =
      written !== undefined &&
      [written.mark, ...Object.values(written.names)].every((name) => found.includes(name));
    this.#now = (isOwn ? this.#written : undefined) ?? this.#wanted;
  }

  async #take(
    file: OpenTable,
    seen: Set<string>,
    asker: Asker,
    { isText, isFileAsked, isFound }: { isText: boolean; isFileAsked: boolean; isFound: boolean },
  ): Promise<void> {
    const { rows: rowsAt, shape } = this.#request;
    const number = this.#files.length - 1;
    const all = Int32Array.from({ length: rowsAtOnce }, (_, row) => row);
    const fitting = new Int32Array(rowsAtOnce);
    const named = isFileAsked ? new Cells() : undefined;
    for (let row = 0; row < rowsAtOnce; row++) named?.put(row, file.source.name);
    for await (const block of tableBlocks(file, rowsAt, asker)) {
      const { columns, lines, keys } = block;
      const cellsOf = (column: string): Cells | undefined =>
        columns.get(column) ?? (column === fileColumn ? named : undefined);
      const count = this.#filters.isEmpty
        ? block.count
        : this.#filters.fitting(block.count, cellsOf, fitting);
      const rows = this.#filters.isEmpty ? all : fitting;
      const at = this.#length;
      this.#reserve(at + count);
      for (let place = 0; place < count; place++)
        this.#lines[at + place] = lines[rows[place] ?? 0] ?? 0;
      for (const { line, problem, key } of block.bad) {
        this.#bad += 1;
        this.#problems.push({
          file: number,
          line,
          text: `${problem} ${this.#at(number, line, key)}`,
        });
      }
      for (const { column, mayLeadOn, store } of this.#now) {
        const own = cellsOf(column);
        const cells = own ?? (mayLeadOn ? deeper(column, block.count, cellsOf) : undefined);
        if (cells !== undefined && own === undefined) seen.add(column);
        store.take(cells, {
          rows,
          count,
          at,
          isText,
          bad: (row, cell) => {
            const line = lines[row] ?? 0;
            this.#badCell({ file: number, line, where: this.#at(number, line, keys?.[row]) }, cell);
            this.#badRows.add(at + indexOf(rows, row, count));
          },
        });
      }
      const asked = new Set(this.#now.map(({ column }) => column));
      for (const [column, cells] of columns) {
        if (asked.has(column)) continue;
        if (isFound) this.#takeFlat(column, cells, { rows, count, at, isText });
        else if (shape.others?.(column) === true) {
          this.#foundStore(column).take(cells, { rows, count, at, isText });
        }
      }
      this.#length += count;
    }
  }

  #foundStore(column: string): FoundStore {
    const store = this.#found.get(column) ?? new FoundStore(this.#noAnswer);
    this.#found.set(column, store);
    return store;
  }

  /** Takes a column of numbers, and of objects each of their members. */
  #takeFlat(
    column: string,
    cells: Cells,
    taken: { rows: Int32Array; count: number; at: number; isText: boolean },
  ): void {
    const { rows, count, at, isText } = taken;
    let hasObjects = false;
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const value = (cells.codes[row] ?? 0) < -2 ? cells.value(row) : undefined;
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      hasObjects = true;
      for (const [member, each] of Object.entries(value)) {
        this.#foundStore(`${column}.${member}`).add(at + place, each, { isText });
      }
    }
    if (!hasObjects) this.#foundStore(column).take(cells, taken);
  }

  #reserve(length: number): void {
    if (length <= this.#lines.length) return;
    const more = new Int32Array(Math.max(length, 2 * this.#lines.length));
    more.set(this.#lines);
    this.#lines = more;
  }

  #badCell(
    { file, line, where }: { readonly file: number; readonly line: number; readonly where: string },
    cell: BadCell,
  ): void {
    const { column, expected, text } = cell;
    const known = text === undefined ? undefined : this.#asText.get(column);
    if (known !== undefined) {
      known.rows += 1;
      known.problem.text = `Expected ${expected} for ${column} but received text in ${known.rows} rows, such as ${known.at}`;
      return;
    }
    const problem = { file, line, text: `${badCellText(cell)} ${where}` };
    this.#problems.push(problem);
    if (text !== undefined) this.#asText.set(column, { problem, at: `${text} ${where}`, rows: 1 });
  }

  /** Where a row stands, as messages say it. */
  #at(file: number, line: number, key?: string): string {
    const { format, source } = this.#files[file] as OpenTable;
    const place = ["parquet", "json"].includes(format) ? "row" : "line";
    return `(in ${source.name}, ${place} ${line}${key ? `, key ${key.slice(0, 60)}` : ""})`;
  }

  #fileOf(row: number): number {
    let file = this.#starts.length - 1;
    while (file > 0 && (this.#starts[file] ?? 0) > row) file -= 1;
    return file;
  }

  /** The table, once all files are read. @throws InputError with all that is wrong. */
  async table(): Promise<Table<ColumnKinds>> {
    const { shape, tell } = this.#request;
    this.#filters.check(this.#name, { rows: this.#length + this.#bad });
    if (this.#length + this.#bad === 0) {
      throw new InputError(`Expected rows in ${this.#name} but it has none`);
    }
    const columns = new Map(
      this.#now.map(({ target, store }) => [target, store.column(this.#length)] as const),
    );
    this.#findTwins(columns);
    const place = (row: number) =>
      `line ${this.#lines[row]}${this.#files.length === 1 ? "" : ` of ${this.#files[this.#fileOf(row)]?.source.name}`}`;
    const others = [...this.#found].map(([name, store]) => store.column(name, this.#length, place));
    const base: Table<ColumnKinds> = {
      length: this.#length,
      columns: Object.fromEntries(columns) as ColumnsOf<ColumnKinds>,
      others: shape.others === undefined ? [] : others,
      has: (column) =>
        this.#now.some((each) => each.target === column && this.#held.has(each.column)),
      place,
      rowName: (row) => `row ${row + 1}`,
    };
    this.#refuseNoData(columns);
    await this.#throwProblems();
    const table = sidesTogether(base, shape, this.#sides());
    for (const { row, problem } of shape.check?.(table) ?? []) {
      const own = Math.floor((row * base.length) / table.length);
      const file = this.#fileOf(own);
      const line = this.#lines[own] ?? 0;
      this.#problems.push({ file, line, text: `${problem} ${this.#at(file, line)}` });
    }
    await this.#throwProblems();
    const sentence = this.#told.sentence(this.#name);
    if (sentence !== undefined) tell?.(sentence);
    if (tell !== undefined) for (const alike of this.#alikeNames(columns)) tell(alike, true);
    return table;
  }

  /** The columns of names that stand side by side; undefined where none do. */
  #sides(): Sides | undefined {
    const { sideBySide } = this.#request.shape;
    if (sideBySide === undefined) return undefined;
    const { given, values } = sideBySide;
    if (typeof given !== "function") {
      const known = new Map(this.#now.map(({ target, store }) => [target, store]));
      return [...given].map(([name, columns]) => ({
        name,
        columns: columns.map((column) => known.get(column ?? "")?.column(this.#length)),
      }));
    }
    const named = this.#now.map(({ column }) => column).filter((column) => this.#held.has(column));
    const found = given([...named, ...this.#found.keys()]);
    const problems = [...found.values()].flatMap((columns) =>
      columns.flatMap((column) =>
        (this.#found.get(column ?? "")?.odd ?? []).map(({ row, cell }) => {
          const file = this.#fileOf(row);
          const kind = this.#request.shape.kinds[values[0] ?? ""] ?? score;
          const read = kind.read(cell, { isText: this.#files[file]?.format === "csv" });
          const expected = "expected" in read ? read.expected : "a number or nothing";
          const text = `Expected ${expected} for ${column} but received ${quoted(cell)}`;
          return `${text} (in ${this.#files[file]?.source.name}, line ${this.#lines[row]})`;
        }),
      ),
    );
    if (problems.length > 0) {
      throw new InputError(`Expected a sound table but found unsound scores in ${this.#name}`, {
        problems,
      });
    }
    return [...found].map(([name, columns]) => ({
      name,
      columns: columns.map(
        (column) => this.#found.get(column ?? "")?.column("", this.#length, () => "").values,
      ),
    }));
  }

  /** Notes rows that are no data: at the ends of files, and where a header stands again. */
  #refuseNoData(columns: ReadonlyMap<string, unknown>): void {
    const texts = this.#now.flatMap(({ target, column, kind }) =>
      kind.holds === "text" ? [{ column, kind, cells: columns.get(target) as TextColumn }] : [],
    );
    const named = texts.filter(({ kind }) => kind.isAnyText === true);
    const rows = new Set<number>();
    const last = new Set<number>();
    for (const [file, start] of this.#starts.entries()) {
      const end = this.#starts[file + 1] ?? this.#length;
      for (let at = 0; at < mostAtEnd; at++) {
        if (start + at < end) rows.add(start + at);
        if (end - 1 - at >= start) last.add(end - 1 - at);
      }
    }
    for (const { column, store } of this.#now) {
      for (const row of store.rowsOf(column, this.#length)) rows.add(row);
    }
    for (const row of [...new Set([...rows, ...last])].sort((a, b) => a - b)) {
      if (this.#badRows.has(row)) continue;
      const given = texts.map(({ column, cells }) => ({
        column,
        text: cells.names[cells.codes[row] ?? -1],
      }));
      // A name that stands elsewhere, too, sums nothing up.
      const isSummed = named.some(({ cells }) => {
        const code = cells.codes[row] ?? -1;
        return isSummary(cells.names[code]) && cells.codes.indexOf(code) === row;
      });
      const problem = noData(given, last.has(row) && isSummed && this.#length > 2 * mostAtEnd - 2);
      if (problem === undefined) continue;
      const file = this.#fileOf(row);
      const line = this.#lines[row] ?? 0;
      this.#problems.push({ file, line, text: `${problem} ${this.#at(file, line)}` });
    }
  }

  /** Says of each column of names which are alike. */
  #alikeNames(columns: ReadonlyMap<string, unknown>): string[] {
    return this.#now.flatMap(({ target, column, kind }) => {
      const cells = columns.get(target);
      if (kind.holds !== "text" || !isTextColumn(cells) || (cells.count ?? 0) > mostNames)
        return [];
      return alikeNames(column, cells.names) ?? [];
    });
  }

  #findTwins(columns: ReadonlyMap<string, unknown>): void {
    const unique = this.#request.shape.unique?.filter((column) => columns.has(column)) ?? [];
    if (unique.length === 0) return;
    const cells = unique.map((column) => columns.get(column));
    for (const { row, first } of twins(cells, this.#length, this.#badRows)) {
      this.#twins += 1;
      const what = unique
        .map((column, at) => `${column} ${quoted(cellOf(cells[at], row))}`)
        .join(" of ");
      const [file, then] = [this.#fileOf(row), this.#fileOf(first)];
      const { format, source } = this.#files[then] as OpenTable;
      const place = ["parquet", "json"].includes(format) ? "row" : "line";
      const where = `${place} ${this.#lines[first]}${file === then ? "" : ` of ${source.name}`}`;
      const line = this.#lines[row] ?? 0;
      const text = `${what} stands in ${where} already ${this.#at(file, line)}`;
      this.#problems.push({ file, line, text });
    }
  }

  async #throwProblems(): Promise<void> {
    if (this.#problems.length === 0) return;
    const problems = this.#problems
      .sort((one, other) => one.file - other.file || one.line - other.line)
      .map(({ text }) => text);
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const asText = [...this.#asText].flatMap(([column, { rows }]) => (rows > 1 ? [column] : []));
    const { apartHint } = await import("./telling-columns.js");
    const hint =
      this.#twins > 0 && this.#twins === problems.length
        ? await apartHint({
            tables: this.#files,
            rowsAt: this.#request.rows,
            wanted: this.#now,
            unique: this.#request.shape.unique ?? [],
          })
        : wayOut(problems, asText);
    throw new InputError(`Expected a sound table but found ${count} in ${this.#name}`, {
      problems,
      hint: `Nothing was computed. ${hint}`,
    });
  }
}

const isTextColumn = (column: unknown): column is TextColumn =>
  typeof column === "object" && column !== null && "codes" in column;

const indexOf = (rows: Int32Array, row: number, count: number): number =>
  rows[row] === row ? row : rows.subarray(0, count).indexOf(row);

/** The cells of a name that leads into objects or joins columns; undefined where no row has it. */
function deeper(
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
  let isThere = false;
  for (let row = 0; row < count; row++) {
    const values = Object.fromEntries(
      found.flatMap(([root, cells]) => {
        const value = cells.value(row);
        return value === undefined ? [] : [[root, value]];
      }),
    );
    const cell = cellAt(values, name);
    if (cell === undefined) continue;
    isThere = true;
    made.put(row, cell.value);
  }
  return isThere ? made : undefined;
}

/** Rows of a table as objects, one at a time: for what acts on rows. */
export function* rowsOf<Kinds extends ColumnKinds>(
  { length, columns }: Pick<Table<Kinds>, "length" | "columns">,
  kinds: Kinds,
): Generator<RowOf<Kinds>> {
  const cells = Object.entries<ColumnKind<unknown>>(kinds).map(([name, kind]) => {
    const column: unknown = columns[name];
    const read = kind.read(null, { isText: false });
    const nothing = "value" in read ? read.value : undefined;
    return [name, cellsOf(column, nothing)] as const;
  });
  for (let row = 0; row < length; row++) {
    // Each column was made by its kind.
    yield Object.fromEntries(cells.map(([name, cellOf]) => [name, cellOf(row)])) as RowOf<Kinds>;
  }
}

function cellsOf(column: unknown, nothing: unknown): (row: number) => unknown {
  if (column instanceof Float64Array) {
    return (row) => (Number.isNaN(column[row]) ? nothing : column[row]);
  }
  if (Array.isArray(column)) return (row) => column[row];
  const { codes, names } = column as { codes: Int32Array; names: readonly string[] };
  return (row) => names[codes[row] ?? -1] ?? nothing;
}

const cellOf = (column: unknown, row: number): unknown => cellsOf(column, undefined)(row);
