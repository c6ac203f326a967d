import type { CharacterCodes, Names } from "../core/names.js";
import type { TextPiece } from "./ascii-text.js";
import { CellWords } from "./cell-words.js";
import type { ColumnKind } from "./columns.js";
import { plainText } from "./csv-text.js";
import { Decimal } from "./decimal.js";
import { type Hash, valueHash } from "./places.js";
import { readCell } from "./read-row.js";

/** Takes the cells of one column of CSV where they stand. */
export interface CellTaker {
  /**
   * @param from where the cell begins; behind it a code that ends cells must come.
   * @param text of the same codes.
   * @param row the place of its row among those that are taken together.
   * @returns where it ends; -1 where it is to be read with more care.
   */
  take(units: CharacterCodes, from: number, text: TextPiece, row: number): number;
}

/** The same, and says what the last one was read as. */
export interface ValueTaker extends CellTaker {
  readonly value: unknown;
  /** The hash of its value, where that names something. */
  readonly hash: Hash | undefined;
}

/** Passes over the cells of a column that nobody asked for. */
export const skippedCells = (stop: Uint8Array): CellTaker => ({
  take(units, from) {
    let at = from;
    while (stop[units[at] ?? 0] !== 1) at += 1;
    return at;
  },
});

/** Reads cells by their kind, each text once. */
export class WordCells implements ValueTaker {
  readonly #words: CellWords;
  readonly #stop: Uint8Array;

  constructor(kind: ColumnKind<unknown>, stop: Uint8Array, noAnswer: ReadonlySet<string>) {
    this.#stop = stop;
    this.#words = new CellWords((text) => {
      const cell = readCell(kind, plainText(text), { isText: true }, noAnswer);
      if (!("value" in cell)) return undefined;
      const { value } = cell;
      return { value, hash: value === undefined ? undefined : valueHash(value) };
    });
  }

  get value(): unknown {
    return this.#words.word?.value;
  }

  get hash(): Hash | undefined {
    return this.#words.word?.hash;
  }

  take(units: CharacterCodes, from: number, text: TextPiece): number {
    return this.#words.find(units, from, { text, stop: this.#stop });
  }
}

/** Reads cells of numbers; what is none, such as an empty cell, as `others` does. */
export class NumberCells implements ValueTaker {
  readonly hash = undefined;
  readonly #decimal = new Decimal();
  readonly #isFine: (value: number) => boolean;
  readonly #others: WordCells;
  readonly #stop: Uint8Array;
  #isOther = false;

  constructor(isFine: (value: number) => boolean, others: WordCells, stop: Uint8Array) {
    this.#isFine = isFine;
    this.#others = others;
    this.#stop = stop;
  }

  get value(): unknown {
    return this.#isOther ? this.#others.value : this.#decimal.value;
  }

  take(units: CharacterCodes, from: number, text: TextPiece): number {
    const end = this.#decimal.read(units, from, this.#stop);
    this.#isOther = end < 0 || !this.#isFine(this.#decimal.value);
    return this.#isOther ? this.#others.take(units, from, text) : end;
  }
}

/** Takes cells of numbers into a column, NaN where there is none; what is no plain number, as `others` does. */
export class NumberColumnCells implements CellTaker {
  readonly column: Float64Array;
  readonly #decimal = new Decimal();
  /** Undefined where no cell is to be read as the number that it is. */
  readonly #isFine: ((value: number) => boolean) | undefined;
  readonly #others: WordCells;
  readonly #stop: Uint8Array;

  constructor(
    isFine: ((value: number) => boolean) | undefined,
    others: WordCells,
    { stop, rows }: { readonly stop: Uint8Array; readonly rows: number },
  ) {
    this.column = new Float64Array(rows);
    this.#isFine = isFine;
    this.#others = others;
    this.#stop = stop;
  }

  take(units: CharacterCodes, from: number, text: TextPiece, row: number): number {
    const end = this.#isFine === undefined ? -1 : this.#decimal.read(units, from, this.#stop);
    if (end >= 0 && this.#isFine?.(this.#decimal.value) === true) {
      this.column[row] = this.#decimal.value;
      return end;
    }
    const others = this.#others.take(units, from, text);
    const { value } = this.#others;
    if (typeof value === "number") this.column[row] = value;
    else this.column[row] = Number.NaN;
    return others;
  }
}

const singleQuote = 39;

/** Takes cells of text into a column, as the numbers of names; -1 where there is none. */
export class NameCells implements CellTaker {
  readonly column: Int32Array;
  readonly #kind: ColumnKind<unknown>;
  readonly #names: Names;
  readonly #stop: Uint8Array;
  readonly #noAnswer: ReadonlySet<string>;

  constructor(
    kind: ColumnKind<unknown>,
    names: Names,
    {
      stop,
      noAnswer,
      rows,
    }: {
      readonly stop: Uint8Array;
      readonly noAnswer: ReadonlySet<string>;
      readonly rows: number;
    },
  ) {
    this.column = new Int32Array(rows);
    this.#kind = kind;
    this.#names = names;
    this.#stop = stop;
    this.#noAnswer = noAnswer;
  }

  take(units: CharacterCodes, from: number, text: TextPiece, row: number): number {
    const names = this.#names;
    const number = names.findAt(units, from, this.#stop);
    const { end } = names;
    // A cell may begin with a quote that is none of its value's: see `plainText`.
    const isQuoted = units[from] === singleQuote;
    if (number >= 0 && !isQuoted) {
      this.column[row] = number;
      return end;
    }
    const given = text.slice(from, end);
    const cell = readCell(this.#kind, plainText(given), { isText: true }, this.#noAnswer);
    if (!("value" in cell)) return -1;
    const { value } = cell;
    if (value === undefined) this.column[row] = -1;
    else if (typeof value !== "string") return -1;
    else if (value === given && number < 0) this.column[row] = names.addAt(units, from);
    else this.column[row] = names.numberOf(value);
    return end;
  }
}
