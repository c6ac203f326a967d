import type { CharacterCodes } from "../core/names.js";
import type { TextPiece } from "./ascii-text.js";
import {
  type CellTaker,
  NameCells,
  NumberCells,
  NumberColumnCells,
  skippedCells,
  type ValueTaker,
  WordCells,
} from "./cell-takers.js";
import type { Column, ColumnTable } from "./column-table.js";
import type { QuickItem, QuickRow } from "./format.js";
import { type Hash, joinedHash } from "./places.js";
import type { RowReading } from "./read-row.js";

/** How the cells of rows of one file of CSV are read where they stand. */
interface CellReading {
  /** Takers of the cells of each column, in the order of the file. */
  readonly takers: readonly CellTaker[];
  readonly delimiter: number;
}

/** Keeps rows whose cells were taken. */
interface RowKeeper {
  /** The row of which the cells were taken last is sound. */
  keep(): void;
  /** The rows that were kept since it was last asked for them. */
  kept(line: number, count: number): QuickItem;
}

/** As many rows are taken at once at most. */
const mostRows = 2048;

const lf = 10;
const cr = 13;
const quote = 34;

/**
 * Reads rows of CSV from the codes of their characters: only the columns that were asked for, and no text
 * but words that are new. It reads what is sound and plain. A record with quotation marks, with too many or
 * too few fields, or with a cell that is not what it should be, is left to who reads with more care.
 */
export class QuickRows {
  readonly #reading: CellReading;
  readonly #keeper: RowKeeper;
  #text: TextPiece = "";
  #codes: CharacterCodes = new Uint8Array();
  #bytes = new Uint8Array();
  /** Behind the last whole line. */
  #end = 0;

  constructor(reading: CellReading, keeper: RowKeeper) {
    this.#reading = reading;
    this.#keeper = keeper;
  }

  /**
   * Reads the records from a place on, up to the first that needs more care.
   *
   * @param line that the first one stands on.
   * @returns as many as `count`; where the next record begins.
   */
  read(
    text: TextPiece,
    start: number,
    line: number,
  ): { readonly item: QuickItem; readonly count: number; readonly next: number } {
    if (text !== this.#text) this.#begin(text);
    let count = 0;
    let next = start;
    while (next < this.#end && count < mostRows) {
      const end = this.#take(next, count);
      if (end < 0) break;
      this.#keeper.keep();
      count += 1;
      next = end;
    }
    return { item: this.#keeper.kept(line, count), count, next };
  }

  #begin(text: TextPiece): void {
    this.#text = text;
    if (typeof text !== "string") {
      this.#codes = text.codes;
      this.#end = text.codes.lastIndexOf(lf) + 1;
      return;
    }
    this.#end = text.lastIndexOf("\n") + 1;
    if (this.#bytes.length < text.length) this.#bytes = new Uint8Array(2 * text.length);
    const { read, written } = new TextEncoder().encodeInto(text, this.#bytes);
    this.#codes = read === text.length && written === read ? this.#bytes : unitsOf(text);
  }

  /** Takes the cells of the record that starts here; where the next one does, -1 where it needs care. */
  #take(start: number, row: number): number {
    const codes = this.#codes;
    const text = this.#text;
    const { takers, delimiter } = this.#reading;
    // An empty line is no record.
    if (codes[start] === lf || codes[start] === cr) return -1;
    let at = start;
    for (let column = 0; column < takers.length; column++) {
      if (column > 0) {
        if (codes[at] !== delimiter) return -1;
        at += 1;
      }
      at = takers[column]?.take(codes, at, text, row) ?? -1;
      if (at < 0) return -1;
    }
    if (codes[at] === cr) at += 1;
    return codes[at] === lf ? at + 1 : -1;
  }
}

/** A code for each UTF-16 unit, so that places are those of the text: an emoji has two. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** Returns a reader for rows of this header; undefined where a column that is asked for is not simply one of them. */
export function quickRows(
  names: readonly string[],
  {
    reading: { columns, blank, noAnswer },
    unique,
    delimiter,
    into,
  }: {
    reading: RowReading;
    unique: readonly string[];
    delimiter: string;
    /** The table that is filled by column; without it the rows are objects. */
    into?: ColumnTable<never> | undefined;
  },
): QuickRows | undefined {
  const stop = new Uint8Array(65_536);
  for (const code of [delimiter.charCodeAt(0), lf, cr, quote]) stop[code] = 1;
  const row: Record<string, unknown> = { ...blank };
  const takers = names.map(() => skippedCells(stop));
  const filled: FilledColumn[] = [];
  const byColumn: Record<string, Column> = {};
  for (const { target, column, kind, mayLeadOn } of columns) {
    const at = names.indexOf(column);
    const isTwice = columns.some((other) => other.target !== target && other.column === column);
    if (mayLeadOn || isTwice || target === "__proto__") return undefined;
    const numbered = into?.names[target];
    if (at < 0) {
      const cell = kind.read(undefined, { isText: true });
      if (!("value" in cell)) return undefined;
      row[target] = cell.value;
      byColumn[target] =
        numbered === undefined
          ? new Float64Array(mostRows).fill(Number.NaN)
          : new Int32Array(mostRows).fill(-1);
      continue;
    }
    const words = new WordCells(kind, stop, noAnswer);
    const isFine = noAnswer.size === 0 ? kind.isNumber : undefined;
    if (into !== undefined) {
      const taker =
        numbered === undefined
          ? new NumberColumnCells(isFine, words, { stop, rows: mostRows })
          : new NameCells(kind, numbered, { stop, noAnswer, rows: mostRows });
      takers[at] = taker;
      byColumn[target] = taker.column;
      continue;
    }
    const isPlain = isFine !== undefined && !unique.includes(target);
    const taker = isPlain ? new NumberCells(isFine, words, stop) : words;
    takers[at] = taker;
    filled.push({ target, taker });
  }
  const named = unique.flatMap((each) => filled.find(({ target }) => target === each)?.taker ?? []);
  const keeper =
    into === undefined
      ? new RowObjects(row, filled, named.length === unique.length ? named : [])
      : batches(byColumn);
  return new QuickRows({ takers, delimiter: delimiter.charCodeAt(0) }, keeper);
}

/** A column that was asked for and is there. */
interface FilledColumn {
  readonly target: string;
  readonly taker: ValueTaker;
}

/** Keeps each row as an object. */
class RowObjects implements RowKeeper {
  /** A row with all targets, and the values of those that are not there. */
  readonly #blank: Readonly<Record<string, unknown>>;
  readonly #filled: readonly FilledColumn[];
  /** The columns whose values together may stand in one row only; none where one is not there. */
  readonly #unique: readonly ValueTaker[];
  #rows: QuickRow[] = [];

  constructor(
    blank: Readonly<Record<string, unknown>>,
    filled: readonly FilledColumn[],
    unique: readonly ValueTaker[],
  ) {
    this.#blank = blank;
    this.#filled = filled;
    this.#unique = unique;
  }

  keep(): void {
    const row = { ...this.#blank };
    for (const { target, taker } of this.#filled) row[target] = taker.value;
    this.#rows.push({ row, hash: this.#hash() });
  }

  kept(line: number): QuickItem {
    const rows = this.#rows;
    this.#rows = [];
    return { kind: "quick", line, rows };
  }

  #hash(): Hash | undefined {
    const parts: Hash[] = [];
    for (const { hash } of this.#unique) {
      if (hash === undefined) return undefined;
      parts.push(hash);
    }
    return parts.length === 0 ? undefined : joinedHash(parts);
  }
}

/** Keeps rows in the columns that their cells were taken into. */
const batches = (columns: Readonly<Record<string, Column>>): RowKeeper => ({
  keep: () => undefined,
  kept: (line, count) => ({ kind: "batch", line, columns, count }),
});
