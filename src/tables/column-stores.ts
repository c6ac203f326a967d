import { ListBuilder, listAt, type NumberLists } from "../core/number-lists.js";
import type { TextColumn } from "../core/text-column.js";
import { type BadCell, badCell, type Reading, readCell } from "./cell-reading.js";
import { absent, type Cells, number } from "./cells.js";
import { Dictionary } from "./dictionary.js";

/** Rows of a block that are taken, and where they go. */
export interface TakenRows {
  /** Their places in the block. */
  readonly rows: Int32Array;
  readonly count: number;
  /** Number of the first one in the table. */
  readonly at: number;
  readonly isText: boolean;
  /** Told of a cell that its kind can't read, and which of the rows has it, from 0. */
  bad(place: number, cell: BadCell): void;
}

/** Takes cells of one column, block by block. */
export interface ColumnStore {
  /** Holds the texts whose codes it keeps. */
  readonly dictionary: Dictionary | undefined;
  /** @param cells undefined where no row of the block has the column. */
  take(cells: Cells | undefined, taken: TakenRows): void;
  /** The value of a row; `nothing` where it has none. */
  value(row: number, nothing: unknown): unknown;
  /** The column of so many rows. */
  column(length: number): TextColumn | Float64Array | NumberLists | readonly unknown[];
  /** Finds the rows that hold a text by going through the column; only columns of texts have it. */
  rowsOf?(text: string, length: number): Iterable<number>;
  /** Lists the different texts; empty where there are more than `most`. Only columns of texts have it. */
  names?(most: number): readonly string[];
}

export function columnStore(reading: Reading, blank = new BlankColumns()): ColumnStore {
  const { holds } = reading.kind;
  if (holds === "text") return new TextStore(reading, blank);
  if (holds === "lists") return new ListStore(reading);
  return holds === "numbers" ? new NumberStore(reading, blank) : new ValueStore(reading);
}

/** What columns hold that no row has: nothing in each row, once for all of them. */
export class BlankColumns {
  #codes = new Int32Array(0);
  #numbers = new Float64Array(0);

  codes(length: number): Int32Array {
    if (this.#codes.length < length) this.#codes = new Int32Array(length).fill(nothing);
    return this.#codes.subarray(0, length);
  }

  numbers(length: number): Float64Array {
    if (this.#numbers.length < length) this.#numbers = new Float64Array(length).fill(Number.NaN);
    return this.#numbers.subarray(0, length);
  }
}

const unread = -3;
const nothing = -1;
const refused = -2;

/** Numbers of texts as they were read. */
class TextStore implements ColumnStore {
  readonly dictionary = new Dictionary();
  readonly #reading: Reading;
  readonly #isPlain: boolean;
  /** Undefined as long as no row has said anything. */
  #codes: Int32Array | undefined;
  readonly #blank: BlankColumns;
  /** Number of the name that each text of the holder is read as. */
  #nameOf = new Int32Array(64).fill(unread);
  /** The dictionary that the cells which came last have their codes of. */
  #holder = this.dictionary;
  /** Number of the name that has these letters. */
  #nameSpelt = new Int32Array(64).fill(unread);
  /** The text of each name, by its number in the dictionary. */
  readonly #texts: number[] = [];
  readonly #ofNumbers = new Map<number, number>();

  constructor(reading: Reading, blank: BlankColumns) {
    this.#reading = reading;
    this.#blank = blank;
    this.#isPlain = reading.kind.isAnyText === true && reading.noAnswer.size === 0;
  }

  take(cells: Cells | undefined, { rows, count, at, isText, bad }: TakenRows): void {
    const none = cells === undefined ? this.#nameFor(undefined, isText) : refused;
    if (none === nothing && this.#codes === undefined) return;
    this.#codes ??= new Int32Array(Math.max(1024, at + count)).fill(nothing);
    this.#codes = withRoom(this.#codes, at + count, (size) => new Int32Array(size));
    const codes = this.#codes;
    if (none !== refused) {
      codes.fill(none, at, at + count);
      return;
    }
    if (cells !== undefined && cells.dictionary !== this.#holder) {
      this.#holder = cells.dictionary;
      this.#nameOf.fill(unread);
    }
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const code = cells?.codes[row] ?? absent;
      let name = code < 0 || cells === undefined ? unread : (this.#nameOf[code] ?? unread);
      if (name === unread) name = this.#read(cells, row, code, isText);
      if (name === refused)
        bad(place, badCell(this.#reading, cells?.value(row), { isText, isThere: code !== absent }));
      codes[at + place] = name;
    }
  }

  #read(cells: Cells | undefined, row: number, code: number, isText: boolean): number {
    if (code === number && cells !== undefined) {
      const value = cells.numbers[row] ?? 0;
      const known = this.#ofNumbers.get(value);
      if (known !== undefined) return known;
      const name = this.#nameFor(value, isText);
      if (this.#ofNumbers.size > 10_000) this.#ofNumbers.clear();
      this.#ofNumbers.set(value, name);
      return name;
    }
    if (code < 0 || cells === undefined) return this.#nameFor(cells?.other(code), isText);
    const first =
      this.#isPlain && this.#holder === this.dictionary ? this.#holder.firstByte(code) : 0;
    const isOwn = first > 32 && first < 128 && !(first === 39 && cells.isGuarded);
    const name = isOwn ? this.#named(code) : this.#nameFor(cells.textOf(code), isText);
    this.#nameOf = numbered(this.#nameOf, code);
    this.#nameOf[code] = name;
    return name;
  }

  #nameFor(value: unknown, isText: boolean): number {
    const { kind, noAnswer } = this.#reading;
    const cell = readCell(kind, value, { isText }, noAnswer);
    if (!("value" in cell)) return refused;
    return typeof cell.value === "string"
      ? this.#named(this.dictionary.codeOf(cell.value))
      : nothing;
  }

  /** Number of the name with the letters of a text, a new one where it is new. */
  #named(code: number): number {
    this.#nameSpelt = numbered(this.#nameSpelt, code);
    let name = this.#nameSpelt[code] ?? unread;
    if (name === unread) {
      name = this.#texts.length;
      this.#texts.push(code);
      this.#nameSpelt[code] = name;
    }
    return name;
  }

  *rowsOf(text: string, length: number): Generator<number> {
    const name = this.#nameSpelt[this.dictionary.codeOf(text)] ?? unread;
    if (name < 0) return;
    const codes = this.#codes?.subarray(0, length) ?? new Int32Array();
    for (let row = codes.indexOf(name); row >= 0; row = codes.indexOf(name, row + 1)) yield row;
  }

  names(most: number): readonly string[] {
    if (this.#texts.length > most) return [];
    return this.#texts.map((code) => this.dictionary.textOf(code));
  }

  value(row: number, nothing: unknown): unknown {
    const name = this.#codes?.[row] ?? -1;
    return name < 0 ? nothing : this.dictionary.textOf(this.#texts[name] ?? 0);
  }

  column(length: number): TextColumn {
    const codes = this.#codes?.subarray(0, length) ?? this.#blank.codes(length);
    return new NamedColumn(codes, this.#texts, this.dictionary);
  }
}

/** A column of texts; they are made when they are first asked for. */
class NamedColumn implements TextColumn {
  readonly codes: Int32Array;
  readonly #texts: readonly number[];
  readonly #dictionary: Dictionary;
  #names: readonly string[] | undefined;

  constructor(codes: Int32Array, texts: readonly number[], dictionary: Dictionary) {
    this.codes = codes;
    this.#texts = texts;
    this.#dictionary = dictionary;
  }

  get count(): number {
    return this.#texts.length;
  }

  get names(): readonly string[] {
    this.#names ??= this.#texts.map((code) => this.#dictionary.textOf(code));
    return this.#names;
  }
}

/** Why a text is no number: of the others it holds one, as text, as somebody prints it, or among words. */
const refusals = ["refused", "fraction", "dressed", "worded"] as const;
export type Refusal = (typeof refusals)[number];

/** Numbers that texts of the newest dictionary are read as. */
export class NumberTexts {
  #holder: Dictionary | undefined;
  #values = new Float64Array(64);
  /** 1: read, from 2 on: refused. */
  #states = new Uint8Array(64);

  /** @returns undefined where the text is not known yet. */
  find({ dictionary }: Cells, code: number): number | Refusal | undefined {
    if (dictionary !== this.#holder) {
      this.#holder = dictionary;
      this.#states.fill(0);
    }
    const state = this.#states[code] ?? 0;
    return state === 1 ? this.#values[code] : refusals[state - 2];
  }

  note(code: number, value: number | Refusal): void {
    this.#values = withRoom(this.#values, code + 1, (size) => new Float64Array(size));
    this.#states = withRoom(this.#states, code + 1, (size) => new Uint8Array(size));
    this.#states[code] = typeof value === "number" ? 1 : 2 + refusals.indexOf(value);
    this.#values[code] = typeof value === "number" ? value : Number.NaN;
  }
}

/** Numbers, NaN for none. */
class NumberStore implements ColumnStore {
  readonly dictionary = undefined;
  readonly #reading: Reading;
  readonly #isFine: ((value: number) => boolean) | undefined;
  readonly #texts = new NumberTexts();
  /** Undefined as long as no row has had a cell. */
  #values: Float64Array | undefined;
  readonly #blank: BlankColumns;

  constructor(reading: Reading, blank: BlankColumns) {
    this.#reading = reading;
    this.#blank = blank;
    this.#isFine = reading.noAnswer.size === 0 ? reading.kind.isNumber : undefined;
  }

  take(cells: Cells | undefined, { rows, count, at, isText, bad }: TakenRows): void {
    if (cells === undefined && this.#values === undefined && this.#isNothing(isText)) return;
    this.#values ??= new Float64Array(Math.max(1024, at + count)).fill(Number.NaN);
    this.#values = withRoom(this.#values, at + count, (size) => new Float64Array(size));
    const values = this.#values;
    const isFine = this.#isFine;
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const code = cells?.codes[row] ?? absent;
      if (code === number && cells !== undefined) {
        const value = cells.numbers[row] ?? Number.NaN;
        if (isFine?.(value) === true) {
          values[at + place] = value;
          continue;
        }
      }
      const value = this.#read(cells, row, code, isText);
      if (typeof value === "number") values[at + place] = value;
      else
        bad(place, badCell(this.#reading, cells?.value(row), { isText, isThere: code !== absent }));
    }
  }

  #read(cells: Cells | undefined, row: number, code: number, isText: boolean): number | Refusal {
    if (code >= 0 && cells !== undefined) {
      const known = this.#texts.find(cells, code);
      if (known !== undefined) return known;
    }
    const { kind, noAnswer } = this.#reading;
    const cell = readCell(kind, cells?.value(row), { isText }, noAnswer);
    const value = !("value" in cell)
      ? "refused"
      : typeof cell.value === "number"
        ? cell.value
        : Number.NaN;
    if (code >= 0) this.#texts.note(code, value);
    return value;
  }

  /** Whether a row that lacks the column has no answer, and nothing wrong. */
  #isNothing(isText: boolean): boolean {
    const value = this.#read(undefined, 0, absent, isText);
    return typeof value === "number" && Number.isNaN(value);
  }

  value(row: number, nothing: unknown): unknown {
    const value = this.#values?.[row] ?? Number.NaN;
    return Number.isNaN(value) ? nothing : value;
  }

  column(length: number): Float64Array {
    return this.#values?.subarray(0, length) ?? this.#blank.numbers(length);
  }
}

/** Lists of numbers, each number NaN for none; a number is a list of one, and a list that is not there is empty. */
class ListStore implements ColumnStore {
  readonly dictionary = undefined;
  readonly #reading: Reading;
  readonly #isFine: ((value: number) => boolean) | undefined;
  readonly #lists = new ListBuilder();

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#isFine = reading.noAnswer.size === 0 ? reading.kind.isNumber : undefined;
  }

  take(cells: Cells | undefined, { rows, count, isText, bad }: TakenRows): void {
    const { kind, noAnswer } = this.#reading;
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const code = cells?.codes[row] ?? absent;
      const plain = code === number ? (cells?.numbers[row] ?? Number.NaN) : Number.NaN;
      if (this.#isFine?.(plain) === true) this.#lists.push(plain);
      else {
        const given = cells?.value(row);
        const cell = readCell(kind, given, { isText }, noAnswer);
        if (!("value" in cell)) {
          bad(place, badCell(this.#reading, given, { isText, isThere: code !== absent }));
        } else if (typeof cell.value === "number") this.#lists.push(cell.value);
        else
          for (const item of (cell.value ?? []) as (number | null)[]) {
            this.#lists.push(item ?? Number.NaN);
          }
      }
      this.#lists.end();
    }
  }

  value(row: number, nothing: unknown): unknown {
    const list = Array.from(listAt(this.column(), row), (item) =>
      Number.isNaN(item) ? null : item,
    );
    return list.length === 0 ? nothing : list;
  }

  column(): NumberLists {
    return this.#lists.lists();
  }
}

/** Values as their kind reads them. */
class ValueStore implements ColumnStore {
  readonly dictionary = undefined;
  readonly #reading: Reading;
  readonly #values: unknown[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  take(cells: Cells | undefined, { rows, count, at, isText, bad }: TakenRows): void {
    const { kind, noAnswer } = this.#reading;
    for (let place = 0; place < count; place++) {
      const row = rows[place] ?? 0;
      const given = cells?.value(row);
      const cell = readCell(kind, given, { isText }, noAnswer);
      if ("value" in cell) this.#values[at + place] = cell.value;
      else {
        this.#values[at + place] = undefined;
        const isThere = (cells?.codes[row] ?? absent) !== absent;
        bad(place, badCell(this.#reading, given, { isText, isThere }));
      }
    }
  }

  value(row: number): unknown {
    return this.#values[row];
  }

  column(length: number): readonly unknown[] {
    this.#values.length = length;
    return this.#values;
  }
}

/** The same array, or one with twice the room. */
function withRoom<Numbers extends Int32Array | Float64Array | Uint8Array>(
  numbers: Numbers,
  length: number,
  make: (size: number) => Numbers,
): Numbers {
  if (length <= numbers.length) return numbers;
  const more = make(Math.max(length, 2 * numbers.length));
  more.set(numbers);
  return more;
}

/** The same with room for a code; what is new is unread. */
function numbered(names: Int32Array<ArrayBuffer>, code: number): Int32Array<ArrayBuffer> {
  if (code < names.length) return names;
  const more = new Int32Array(Math.max(code + 1, 2 * names.length)).fill(unread);
  more.set(names);
  return more;
}
