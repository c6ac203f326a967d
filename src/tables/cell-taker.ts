import { decimalNumber } from "../core/read-json.js";
import { type Cells, number } from "./cells.js";
import { Decimal } from "./decimal.js";
import { type Dictionary, textOf } from "./dictionary.js";

const lf = 10;

/** Takes the cells of one column of a CSV where their bytes stand. */
export class CellTaker {
  readonly #cells: Cells;
  readonly #decimal = new Decimal();
  /** Line ends in a text, by its number. */
  #breaksOf: number[] = [];
  #dictionary: Dictionary | undefined;
  /** Whether a text stands in it that a spreadsheet would take for a formula, as no file of ours has it. */
  isUnguarded = false;
  /** Line ends in the cell that was taken last. */
  breaks = 0;

  constructor(cells: Cells) {
    this.#cells = cells;
    cells.isGuarded = true;
  }

  /** @returns where it ends. */
  take(bytes: Uint8Array, from: number, stop: Uint8Array, row: number): number {
    const { isNumber, codes, dictionary } = this.#cells;
    this.breaks = 0;
    if (isNumber !== undefined) {
      const end = this.#decimal.read(bytes, from, stop);
      if (end >= 0 && isNumber(this.#decimal.value)) {
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
