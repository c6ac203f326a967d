import { InputError } from "../core/errors.js";
import { nameCount, type TextColumn } from "../core/text-column.js";
import { tableBlocks } from "./blocks.js";
import { type Asker, Cells, rowsAtOnce } from "./cells.js";
import { type ColumnStore, columnStore, FoundStore } from "./column-stores.js";
import { type ColumnKind, type ColumnKinds, score } from "./columns.js";
import { deeperCells } from "./deeper-cells.js";
import { quoted } from "./format.js";
import { checkColumns, checkHeader, checkMap, type WantedColumn, wantedColumns } from "./header.js";
import { needs } from "./nested-value.js";
import { alikeNames, isSummary, mostAtEnd, mostNames, noData } from "./no-data.js";
import { type OpenTable, openTable } from "./open-table.js";
import { RowFilters } from "./row-filters.js";
import { RowProblems } from "./row-problems.js";
import { cellOf } from "./rows-of.js";
import { asksForFile, fileColumn, SharedHeader, tableNames } from "./several-files.js";
import type { ColumnsOf, Table } from "./shapes.js";
import { type Sides, sidesApart, sidesTogether } from "./side-by-side.js";
import type { TableRequest } from "./table-request.js";
import { leadsInto, wayOut } from "./table-rows.js";
import { ToldWords } from "./told-words.js";
import { twins } from "./twin-rows.js";

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
  readonly #rows = new RowProblems();
  #length = 0;
  /** Rows that could not be taken. */
  #bad = 0;
  readonly #badRows = new Set<number>();
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
    const isFirst = this.#rows.files.length === 0;
    this.#rows.open(file, this.#length);
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
    if (isWhole && !areNamed && this.#length === this.#rows.starts.at(-1) && seen.size === 0)
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
      this.#rows.reserve(at + count);
      for (let place = 0; place < count; place++)
        this.#rows.setLine(at + place, lines[rows[place] ?? 0] ?? 0);
      for (const { line, problem, key } of block.bad) {
        this.#bad += 1;
        this.#rows.addLine(line, problem, { key });
      }
      for (const { column, mayLeadOn, store } of this.#now) {
        const own = cellsOf(column);
        const cells = own ?? (mayLeadOn ? deeperCells(column, block.count, cellsOf) : undefined);
        if (cells !== undefined && own === undefined) seen.add(column);
        store.take(cells, {
          rows,
          count,
          at,
          isText,
          bad: (row, cell) => {
            this.#rows.addCell(lines[row] ?? 0, keys?.[row], cell);
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
    const place = (row: number) => this.#rows.place(row);
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
      this.#rows.add(Math.floor((row * base.length) / table.length), problem);
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
          const kind = this.#request.shape.kinds[values[0] ?? ""] ?? score;
          const { format } = this.#rows.files[this.#rows.fileOf(row)] ?? {};
          const read = kind.read(cell, { isText: format === "csv" });
          const expected = "expected" in read ? read.expected : "a number or nothing";
          const text = `Expected ${expected} for ${column} but received ${quoted(cell)}`;
          return `${text} (in ${this.#rows.nameOf(row)}, line ${this.#rows.line(row)})`;
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
    for (const [file, start] of this.#rows.starts.entries()) {
      const end = this.#rows.starts[file + 1] ?? this.#length;
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
      if (problem !== undefined) this.#rows.add(row, problem);
    }
  }

  /** Says of each column of names which are alike. */
  #alikeNames(columns: ReadonlyMap<string, unknown>): string[] {
    return this.#now.flatMap(({ target, column, kind }) => {
      if (kind.holds !== "text") return [];
      const cells = columns.get(target) as TextColumn;
      return nameCount(cells) > mostNames ? [] : (alikeNames(column, cells.names) ?? []);
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
      this.#rows.add(row, `${what} stands in ${this.#rows.placeFrom(first, row)} already`);
    }
  }

  #throwProblems(): Promise<void> {
    return this.#rows.refuse(this.#name, async (problems, asText) => {
      if (this.#twins !== problems.length) return wayOut(problems, asText);
      const { apartHint } = await import("./telling-columns.js");
      return apartHint({
        tables: this.#rows.files,
        rowsAt: this.#request.rows,
        wanted: this.#now,
        unique: this.#request.shape.unique ?? [],
      });
    });
  }
}

const indexOf = (rows: Int32Array, row: number, count: number): number =>
  rows[row] === row ? row : rows.subarray(0, count).indexOf(row);
