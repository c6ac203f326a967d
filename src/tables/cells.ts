import { setOwn } from "./blank-row.js";
import { plainText } from "./csv-text.js";
import { Dictionary } from "./dictionary.js";

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
