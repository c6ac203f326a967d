import { CellWords, type CharacterCodes } from "./cell-words.js";
import type { ColumnKind } from "./columns.js";
import { plainText } from "./csv-text.js";
import { Decimal } from "./decimal.js";
import { type Hash, valueHash } from "./places.js";
import { readCell } from "./read-row.js";

/** Takes the cells of one column of CSV where they stand. */
export interface CellTaker {
  /** What the last cell was read as. */
  readonly value: unknown;
  /** The hash of its value, where that names something. */
  readonly hash: Hash | undefined;
  /**
   * @param from where the cell begins; behind it a code that ends cells must come.
   * @param text of the same codes.
   * @returns where it ends; -1 where it is to be read with more care.
   */
  take(units: CharacterCodes, from: number, text: string): number;
}

/** Passes over the cells of a column that nobody asked for. */
export const skippedCells = (stop: Uint8Array): CellTaker => ({
  value: undefined,
  hash: undefined,
  take(units, from) {
    let at = from;
    while (stop[units[at] ?? 0] !== 1) at += 1;
    return at;
  },
});

/** Reads cells by their kind, each text once. */
export class WordCells implements CellTaker {
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

  take(units: CharacterCodes, from: number, text: string): number {
    return this.#words.find(units, from, { text, stop: this.#stop });
  }
}

/** Reads cells of numbers; what is none, such as an empty cell, as `others` does. */
export class NumberCells implements CellTaker {
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

  take(units: CharacterCodes, from: number, text: string): number {
    const end = this.#decimal.read(units, from, this.#stop);
    this.#isOther = end < 0 || !this.#isFine(this.#decimal.value);
    return this.#isOther ? this.#others.take(units, from, text) : end;
  }
}
