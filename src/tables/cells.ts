import { decimalNumber } from "../core/read-json.js";
import { setOwn } from "./blank-row.js";
import { plainText } from "./cell-table.js";
import { Decimal } from "./decimal.js";
import type { PointWatch } from "./decimal-comma.js";
import { Dictionary, textOf } from "./dictionary.js";

/** As many rows are read at once. */
export const rowsAtOnce = 8192;

/** Cells have room for so many rows to begin with: a table may have thousands of columns and few rows. */
export const fewRows = 32;

/** A block of text ends with the row that reaches so many bytes: rows may be long. */
export const bytesAtOnce = 32_000_000;

/** Codes of cells that are no text: the row has none, or a number. From -3 down they count other values. */
export const absent = -1;
export const number = -2;
const firstOther = -3;

/** Dictionaries larger than this begin anew with the next block, where nobody holds their codes. */
const mostHeld = 16_000_000;

/** How a column's cells are read. */
export interface ColumnAsk {
  /** Where text has no numbers of its own: tests if a cell of plain digits may be read as the number that they are. */
  readonly isNumber?: ((value: number) => boolean) | undefined;
  /** Holds the texts of all blocks, for who keeps their codes. */
  readonly dictionary?: Dictionary | undefined;
  /** Watches points that may set thousands apart, where semicolons separate. */
  readonly points?: PointWatch | undefined;
  /** Whether bytes of Parquet that are not said to be text stay bytes. */
  readonly isBytes?: boolean;
}

/**
 * The cells of one column in a block of rows, as the format holds them: texts by code, numbers, and other values
 * (true, lists, objects, times) one by one.
 */
export class Cells {
  /** A row behind its end has no cell. */
  codes = new Int32Array(fewRows);
  /** Where the code says so. */
  numbers = new Float64Array(fewRows);
  readonly isNumber: ((value: number) => boolean) | undefined;
  dictionary: Dictionary;
  /** Whether a quote before a formula is none of the text: see `plainText`. */
  isGuarded = false;
  readonly #isHeld: boolean;
  #others: unknown[] = [];
  /** Those that many rows share. */
  #shared = new Map<unknown, number>();

  constructor({ isNumber, dictionary }: ColumnAsk = {}) {
    this.isNumber = isNumber;
    this.#isHeld = dictionary !== undefined;
    this.dictionary = dictionary ?? new Dictionary();
    this.begin();
  }

  /** Begins a block: no row has a cell. */
  begin(): void {
    this.codes.fill(absent);
    this.#others = [];
    this.#shared.clear();
    if (!this.#isHeld && this.dictionary.size > mostHeld) this.dictionary = new Dictionary();
  }

  /** Makes room for as many rows, which have no cell. */
  makeRoom(rows: number): void {
    const { codes, numbers } = this;
    if (rows <= codes.length) return;
    this.codes = new Int32Array(rows).fill(absent);
    this.codes.set(codes);
    this.numbers = new Float64Array(rows);
    this.numbers.set(numbers);
  }

  /** Takes a value as JSON and Parquet have it. */
  put(row: number, value: unknown): void {
    if (typeof value === "string") this.codes[row] = this.dictionary.codeOf(value);
    else if (typeof value === "number") {
      this.codes[row] = number;
      this.numbers[row] = value;
    } else if (value === undefined) this.codes[row] = absent;
    else this.codes[row] = this.#codeOfOther(value);
  }

  #codeOfOther(value: unknown): number {
    const known = this.#shared.get(value);
    if (known !== undefined) return known;
    const code = firstOther - this.#others.length;
    this.#others.push(value);
    if (typeof value !== "object" || value === null) this.#shared.set(value, code);
    return code;
  }

  /** The cell of a row; undefined where it has none. */
  value(row: number): unknown {
    const code = this.codes[row] ?? absent;
    if (code >= 0) return this.textOf(code);
    if (code === number) return this.numbers[row];
    return this.other(code);
  }

  /** The text of a code from 0 on. */
  textOf(code: number): string {
    const text = this.dictionary.textOf(code);
    return this.isGuarded ? plainText(text) : text;
  }

  /** The value of a code from -3 down. */
  other(code: number): unknown {
    return code === absent ? undefined : this.#others[firstOther - code];
  }
}

/** As many rows as there is room for when `rows` are full. */
export const moreRows = (rows: number): number => Math.min(8 * rows, rowsAtOnce);

/** The cells of one row by the names of their columns, without those that it lacks. */
export function rowValues(
  columns: Iterable<readonly [string, Cells]>,
  row: number,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, cells] of columns) {
    if ((cells.codes[row] ?? absent) !== absent) setOwn(values, name, cells.value(row));
  }
  return values;
}

/** What is wrong with a row that could not be read. */
export interface BadRow {
  readonly line: number;
  readonly problem: string;
  /** Where it stands in a JSON document. */
  readonly key?: string | undefined;
}

/** Some rows of a table by column; what is in it holds until the next block is asked for. */
export interface Block {
  readonly count: number;
  /** The line or row in its file of each, from 1. */
  readonly lines: Int32Array;
  readonly columns: ReadonlyMap<string, Cells>;
  /** Where a row stands in a JSON document, such as `00232.DALLE_3`. */
  readonly keys?: readonly (string | undefined)[] | undefined;
  readonly bad: readonly BadRow[];
}

/** Whoever wants a table's columns, and is told which there are. */
export interface Asker {
  /** Told the names of the columns before the rows (`isHeader`), or, where rows name their own, those of the first. */
  names(found: readonly string[], isHeader: boolean): void;
  /** How a column is to be read; undefined where nobody wants it. */
  column(name: string): ColumnAsk | undefined;
}

const lf = 10;

/** Takes the cells of one column of a CSV where their bytes stand. */
export class CellTaker {
  readonly #cells: Cells;
  readonly #points: PointWatch | undefined;
  readonly #decimal = new Decimal();
  /** Line ends in a text, by its number. */
  #breaksOf: number[] = [];
  #dictionary: Dictionary | undefined;
  /** Whether a text stands in it that a spreadsheet would take for a formula, as no file of ours has it. */
  isUnguarded = false;
  /** Line ends in the cell that was taken last. */
  breaks = 0;

  constructor(cells: Cells, points?: PointWatch) {
    this.#cells = cells;
    this.#points = points;
    cells.isGuarded = true;
  }

  /** @returns where it ends. */
  take(bytes: Uint8Array, from: number, stop: Uint8Array, row: number): number {
    const { isNumber, codes, dictionary } = this.#cells;
    this.breaks = 0;
    if (isNumber !== undefined) {
      const end = this.#decimal.read(bytes, from, stop);
      if (end >= 0 && isNumber(this.#decimal.value)) {
        this.#points?.look(bytes, from, end);
        codes[row] = number;
        this.#cells.numbers[row] = this.#decimal.value;
        return end;
      }
    }
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.#breaksOf = [];
    }
    const count = dictionary.count;
    const code = dictionary.codeUpTo(bytes, from, stop);
    codes[row] = code;
    if (code === count) this.#note(code, bytes, from, dictionary.end);
    this.breaks = this.#breaksOf[code] ?? 0;
    return dictionary.end;
  }

  /** Notes what stands in a new text. */
  #note(code: number, bytes: Uint8Array, from: number, to: number): void {
    this.#points?.look(bytes, from, to);
    let breaks = 0;
    for (let at = from; at < to; at++) if (bytes[at] === lf) breaks += 1;
    if (breaks > 0 || this.#breaksOf.length > code) this.#breaksOf[code] = breaks;
    if (!this.isUnguarded && isFormula(bytes[from] ?? 0) && from < to) {
      this.isUnguarded = decimalNumber(textOf(bytes, from, to)) === undefined;
    }
  }

  put(row: number, text: string): void {
    this.#cells.codes[row] = this.#cells.dictionary.codeOf(text);
    if (isFormula(text.charCodeAt(0))) this.isUnguarded ||= decimalNumber(text) === undefined;
  }

  keepQuotes(): void {
    this.#cells.isGuarded = false;
  }
}

/** = + - @, tab and CR. */
const isFormula = (code: number) =>
  code === 61 || code === 43 || code === 45 || code === 64 || code === 9 || code === 13;
