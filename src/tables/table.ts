import { InputError } from "../core/errors.js";
import { isLists } from "../core/number-lists.js";
import { decimalNumber } from "../core/read-json.js";
import { isTextColumn, type TextColumn } from "../core/text-column.js";
import type { Cells } from "./cells.js";
import { BlankColumns, columnStore } from "./column-stores.js";
import { type ColumnKinds, score } from "./columns.js";
import { quoted } from "./format.js";
import { FoundStore } from "./found-store.js";
import { missingCodes } from "./missing-codes.js";
import { isSummary, mostAtEnd, noData } from "./no-data.js";
import type { ColumnsOf, SideBySide, Table, TableRequest, TableShape } from "./shapes.js";
import { TableReader, type TakenBlock } from "./table-reader.js";

/**
 * Reads a whole table into columns: each text once, a row as a number for each column. A `TableReader` splits the
 * bytes into blocks of rows and puts their cells into stores, one a column; then the shape's check looks at the rows.
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
  // What the shape's check is given has the columns of its kinds.
  const asked = request as unknown as TableRequest<ColumnKinds>;
  return (await new ColumnTaker(asked).table()) as Table<Kinds>;
}

/** Holds the columns of a table. */
class ColumnTaker {
  readonly #request: TableRequest<ColumnKinds>;
  readonly #reader: TableReader;
  readonly #found = new Map<string, FoundStore>();
  /** The columns of numbers whose names stand side by side. */
  #beside: readonly string[] = [];
  /** Whether all further columns are taken, since names stand side by side in some. */
  readonly #isFound: boolean;

  constructor(request: TableRequest<ColumnKinds>) {
    this.#request = request;
    const { source, shape, ...others } = request;
    const { kinds, sideBySide, unique = [], otherShape } = shape;
    this.#isFound = typeof sideBySide?.given === "function";
    const blank = new BlankColumns();
    this.#reader = new TableReader(source, {
      ...others,
      kinds: sideBySide === undefined ? kinds : sidesApart(kinds, sideBySide),
      unique,
      otherShape,
      others: this.#isFound ? (sideBySide?.values ?? []) : [],
      storeOf: (reading) => columnStore(reading, blank),
      shared: shape.others,
      ask: (column) =>
        this.#isFound || shape.others?.(column) === true
          ? { isNumber: this.#reader.numberTest(score) }
          : undefined,
    });
  }

  /** The table, once all files are read. @throws InputError with all that is wrong. */
  async table(): Promise<Table<ColumnKinds>> {
    const reader = this.#reader;
    const { shape } = this.#request;
    for await (const block of reader.blocks()) this.#takeOthers(block);
    const { length, rows, wanted } = reader;
    reader.noteRepeated();
    const columns = new Map(
      wanted.map(({ target, store }) => [target, store.column(length)] as const),
    );
    const place = (row: number) => rows.place(row);
    const others = [...this.#found].map(([name, store]) => store.column(name, length, place));
    const base: Table<ColumnKinds> = {
      length,
      columns: Object.fromEntries(columns) as ColumnsOf<ColumnKinds>,
      others: shape.others === undefined ? [] : others,
      names: reader.names,
      has: (column) => wanted.some((each) => each.target === column && reader.has(each.column)),
      place,
      rowName: (row) => `row ${row + 1}`,
    };
    this.#refuseNoData();
    await reader.refuse();
    const table = sidesTogether(base, shape, this.#sides());
    for (const { row, problem, hint } of shape.check?.(table) ?? []) {
      rows.add(Math.floor((row * base.length) / table.length), problem, hint);
    }
    await reader.refuse();
    for (const { name, count } of others) {
      if (count > 0)
        for (const word of this.#found.get(name)?.words ?? []) reader.told.add(name, word);
    }
    reader.tell([...others.flatMap(({ name, count }) => (count > 0 ? name : [])), ...this.#beside]);
    this.#tellCodes(table);
    return table;
  }

  /** Tells numbers that are times, or may mean that nobody answered, also where a scale's numbers are names of its categories. */
  #tellCodes({ columns, others }: Table<ColumnKinds>): void {
    const { tell, shape } = this.#request;
    if (tell === undefined || shape.counts === true) return;
    const { wanted } = this.#reader;
    const named = new Map(wanted.map(({ target, column }) => [target, column]));
    const own = Object.entries(columns).map(
      ([target, values]) => [named.get(target) ?? target, numbersOf(target, values)] as const,
    );
    // A column may be read as itself and for its numbers.
    const told = new Set(wanted.filter(({ kind }) => kind.isAmount).map(({ column }) => column));
    for (const [name, values] of [
      ...own,
      ...others.map((each) => [each.name, each.values] as const),
    ]) {
      if (values === undefined || told.has(name)) continue;
      const found = timesAsNumbers(name, values) ?? missingCodes(name, values);
      if (found === undefined) continue;
      told.add(name);
      tell(found, true);
    }
  }

  /** Takes columns for their numbers. */
  #takeOthers(block: TakenBlock): void {
    const asked = new Set(this.#reader.wanted.map(({ column }) => column));
    for (const [column, cells] of block.columns) {
      if (this.#request.shape.others?.(column) === true) {
        this.#foundStore(column).take(cells, block);
      } else if (this.#isFound && !asked.has(column)) this.#takeFlat(column, cells, block);
    }
  }

  #foundStore(column: string): FoundStore {
    const store = this.#found.get(column) ?? new FoundStore(this.#reader.noAnswer);
    this.#found.set(column, store);
    return store;
  }

  /** Takes a column of numbers, and of objects each of their members. */
  #takeFlat(column: string, cells: Cells, taken: TakenBlock): void {
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

  /** The columns of names that stand side by side; undefined where none do. */
  #sides(): Sides | undefined {
    const { sideBySide, kinds } = this.#request.shape;
    const { wanted, length, rows, name } = this.#reader;
    if (sideBySide === undefined) return undefined;
    const { given, values } = sideBySide;
    if (typeof given !== "function") {
      const known = new Map(wanted.map(({ target, store }) => [target, store]));
      return [...given].map(([name, columns]) => ({
        name,
        columns: columns.map((column) => known.get(column ?? "")?.column(length)),
      }));
    }
    const named = wanted.map(({ column }) => column).filter((column) => this.#reader.has(column));
    const found = given([...new Set([...named, ...this.#found.keys()])]);
    this.#beside = [...found.values()].flat().filter((column) => column !== undefined);
    const problems = [...found.values()].flatMap((columns) =>
      columns.flatMap((column) =>
        (this.#found.get(column ?? "")?.odd ?? []).map(({ row, cell }) => {
          const kind = kinds[values[0] ?? ""] ?? score;
          const { format } = rows.files[rows.fileOf(row)] ?? {};
          const read = kind.read(cell, { isText: format === "csv" });
          const expected = "expected" in read ? read.expected : "a number or nothing";
          const text = `Expected ${expected} for ${column} but received ${quoted(cell)}`;
          return `${text} (in ${rows.nameOf(row)}, line ${rows.line(row)})`;
        }),
      ),
    );
    if (problems.length > 0) {
      throw new InputError(`Expected a sound table but found unsound scores in ${name}`, {
        problems,
      });
    }
    return [...found].map(([side, columns]) => ({
      name: side,
      columns: columns.map(
        (column) => this.#found.get(column ?? "")?.column("", length, () => "").values,
      ),
    }));
  }

  /** Notes rows that are no data: at the ends of files, and where a header stands again. */
  #refuseNoData(): void {
    const { wanted, length, rows, badRows } = this.#reader;
    const texts = wanted.filter(({ kind }) => kind.holds === "text");
    const looked = new Set<number>();
    const last = new Set<number>();
    for (const [file, start] of rows.starts.entries()) {
      const end = rows.starts[file + 1] ?? length;
      for (let at = 0; at < mostAtEnd && start + at < end; at++) {
        looked.add(start + at);
        last.add(end - 1 - at);
      }
    }
    for (const { column, store } of texts) {
      for (const row of store.rowsOf?.(column, length) ?? []) looked.add(row);
    }
    for (const row of [...new Set([...looked, ...last])].sort((a, b) => a - b)) {
      if (badRows.has(row)) continue;
      const given = texts.map(({ column, kind, store }) => {
        const text = store.value(row, undefined);
        return { column, kind, store, text: typeof text === "string" ? text : undefined };
      });
      // A name that stands elsewhere, too, sums nothing up.
      const isSummed = given.some(({ kind, store, text = "" }) => {
        if (kind.isAnyText !== true || !isSummary(text)) return false;
        const [first] = store.rowsOf?.(text, length) ?? [];
        return first === row;
      });
      const problem = noData(given, last.has(row) && isSummed && length > 2 * mostAtEnd - 2);
      if (problem !== undefined) rows.add(row, problem);
    }
  }
}

function numbersOf(target: string, values: unknown): Float64Array | undefined {
  if (values instanceof Float64Array) return values;
  if (isLists(values)) return values.values;
  if (target !== "value" || !isTextColumn(values)) return undefined;
  const numbers = values.names.map((name) => decimalNumber(name) ?? Number.NaN);
  return Float64Array.from(values.codes, (code) => numbers[code] ?? Number.NaN);
}

/** The kinds of a table whose names are columns: where they are known, under their own names. */
function sidesApart(kinds: ColumnKinds, sideBySide: SideBySide<string>): ColumnKinds {
  const { given, name, values } = sideBySide;
  const common = Object.entries(kinds).filter(
    ([column]) => column !== name && !values.includes(column),
  );
  const own =
    typeof given === "function"
      ? []
      : [...given.values()].flatMap((columns) =>
          columns.flatMap((column, at) => {
            const kind = kinds[values[at] ?? ""];
            return column === undefined || kind === undefined ? [] : [[column, kind] as const];
          }),
        );
  return Object.fromEntries([...common, ...own]);
}

/** The columns of each name. */
type Sides = readonly { readonly name: string; readonly columns: readonly unknown[] }[];

/** A table with a row for each name of each row. */
function sidesTogether(
  base: Table<ColumnKinds>,
  { kinds, sideBySide, rowNames }: TableShape<ColumnKinds>,
  sides: Sides | undefined,
): Table<ColumnKinds> {
  const named = rowNames === undefined ? base : withRowNames(base, rowNames);
  if (sideBySide === undefined || sides === undefined) return named;
  const { name, values } = sideBySide;
  const each = sides.length;
  const length = base.length * each;
  const tiled = Int32Array.from({ length }, (_, row) => row % each);
  const columns = Object.keys(kinds).map((column) => {
    if (column === name) return [column, { codes: tiled, names: sides.map((side) => side.name) }];
    const at = values.indexOf(column);
    if (at < 0)
      return [column, repeated(named.columns[column], length, (row) => Math.floor(row / each))];
    const its = sides.map((side) => side.columns[at]);
    return [column, interleaved(its, length)];
  });
  return {
    ...named,
    length,
    columns: Object.fromEntries(columns),
    has: (column) => column === name || values.includes(column) || base.has(column),
    place: (row) => base.place(Math.floor(row / each)),
    rowName: (row) => base.rowName(Math.floor(row / each)),
  };
}

/** A column whose rows are some of another's. */
function repeated(column: unknown, length: number, rowOf: (row: number) => number): unknown {
  if (column instanceof Float64Array) {
    return Float64Array.from({ length }, (_, row) => column[rowOf(row)] ?? Number.NaN);
  }
  if (Array.isArray(column)) return Array.from({ length }, (_, row) => column[rowOf(row)]);
  const { codes, names } = column as TextColumn;
  return { codes: Int32Array.from({ length }, (_, row) => codes[rowOf(row)] ?? -1), names };
}

/** Columns of which each gives every so manyth row. */
function interleaved(columns: readonly unknown[], length: number): unknown {
  const each = columns.length;
  const [first] = columns.filter((column) => column !== undefined);
  if (first instanceof Float64Array) {
    return Float64Array.from({ length }, (_, row) => {
      const column = columns[row % each];
      return column instanceof Float64Array
        ? (column[Math.floor(row / each)] ?? Number.NaN)
        : Number.NaN;
    });
  }
  if (Array.isArray(first)) {
    return Array.from({ length }, (_, row) => {
      const column = columns[row % each];
      return Array.isArray(column) ? column[Math.floor(row / each)] : undefined;
    });
  }
  const known = new Map<string, number>();
  const texts = columns as readonly TextColumn[];
  const maps = texts.map(({ names }) => new Int32Array(names.length).fill(-1));
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const column = row % each;
    const code = texts[column]?.codes[Math.floor(row / each)] ?? -1;
    const map = maps[column];
    if (code < 0 || map === undefined) {
      codes[row] = -1;
      continue;
    }
    let name = map[code] ?? -1;
    if (name < 0) {
      const word = texts[column]?.names[code] ?? "";
      name = known.get(word) ?? known.size;
      known.set(word, name);
      map[code] = name;
    }
    codes[row] = name;
  }
  return { codes, names: [...known.keys()] };
}

/** The table with the names of rows where a column of text has none. */
function withRowNames(base: Table<ColumnKinds>, name: string): Table<ColumnKinds> {
  const { codes, names } = base.columns[name] as unknown as TextColumn;
  if (!codes.includes(-1)) return base;
  const known = new Map<string, number>();
  const named = codes.map((code, row) => {
    const word = code < 0 ? base.rowName(row) : (names[code] ?? "");
    const number = known.get(word) ?? known.size;
    known.set(word, number);
    return number;
  });
  const column = { codes: named, names: [...known.keys()] };
  return { ...base, columns: { ...base.columns, [name]: column } as ColumnsOf<ColumnKinds> };
}

/** Seconds since 1970 from September 2001 to 2099. */
const [first, last] = [1e9, 4.1e9];
/** Times of one table lie within these seconds, 20 years; random seeds of 32 bits hardly do. */
const longest = 6.3e8;

/**
 * Says that the numbers of a column are times, not scores: all are whole seconds or milliseconds since 1970, of the
 * years 2001 to 2099 and within 20 years, and not all the same, as a seed may be. Undefined where they are not.
 *
 * @param values NaN where there is none
 */
export function timesAsNumbers(column: string, values: ArrayLike<number>): string | undefined {
  let example: number | undefined;
  let perSecond: number | undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    perSecond ??= value < 1000 * first ? 1 : 1000;
    const seconds = value / perSecond;
    if (!Number.isInteger(value) || seconds < first || seconds >= last) return undefined;
    example ??= value;
    if (seconds < low) low = seconds;
    if (seconds > high) high = seconds;
  }
  if (!(high > low && high - low < longest)) return undefined;
  if (example === undefined || perSecond === undefined) return undefined;
  const day = new Date((1000 * example) / perSecond).toISOString().slice(0, 10);
  return `${column} has times in place of scores: ${example} is ${day}; name the column of scores`;
}
