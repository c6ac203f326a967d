import { type CellTaker, NumberCells, skippedCells, WordCells } from "./cell-takers.js";
import type { CharacterCodes } from "./cell-words.js";
import type { QuickRow } from "./format.js";
import { type Hash, joinedHash } from "./places.js";
import type { RowReading } from "./read-row.js";

/** How rows of one file of CSV are read where they stand. */
interface QuickReading {
  /** What takes the cells of each column, in the order of the file. */
  readonly takers: readonly CellTaker[];
  /** The columns that were asked for and are there. */
  readonly filled: readonly { readonly target: string; readonly taker: CellTaker }[];
  /** A row with all targets, and the values of those that are not there. */
  readonly blank: Readonly<Record<string, unknown>>;
  /** The columns whose values together may stand in one row only; none where one is not there. */
  readonly unique: readonly CellTaker[];
  readonly delimiter: number;
}

const lf = 10;
const cr = 13;
const quote = 34;

/**
 * Reads rows of CSV from the codes of their characters: only the columns that were asked for, and no text
 * but words that are new. It reads what is sound and plain. A record with quotation marks, with too many or
 * too few fields, or with a cell that is not what it should be, is left to who reads with more care.
 */
export class QuickRows {
  readonly #reading: QuickReading;
  #text = "";
  #codes: CharacterCodes = new Uint8Array();
  #bytes = new Uint8Array();
  /** Behind the last whole line. */
  #end = 0;

  constructor(reading: QuickReading) {
    this.#reading = reading;
  }

  /** Reads the records from a place on, up to the first that needs more care. */
  read(text: string, start: number): { readonly rows: QuickRow[]; readonly next: number } {
    if (text !== this.#text) this.#begin(text);
    const rows: QuickRow[] = [];
    let next = start;
    while (next < this.#end) {
      const end = this.#take(next);
      if (end < 0) break;
      rows.push(this.#row());
      next = end;
    }
    return { rows, next };
  }

  #begin(text: string): void {
    this.#text = text;
    this.#end = text.lastIndexOf("\n") + 1;
    if (this.#bytes.length < text.length) this.#bytes = new Uint8Array(2 * text.length);
    const { read, written } = new TextEncoder().encodeInto(text, this.#bytes);
    this.#codes = read === text.length && written === read ? this.#bytes : unitsOf(text);
  }

  /** Takes the cells of the record that starts here; where the next one does, -1 where it needs care. */
  #take(start: number): number {
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
      at = takers[column]?.take(codes, at, text) ?? -1;
      if (at < 0) return -1;
    }
    if (codes[at] === cr) at += 1;
    return codes[at] === lf ? at + 1 : -1;
  }

  #row(): QuickRow {
    const { filled, blank } = this.#reading;
    const row = { ...blank };
    for (const { target, taker } of filled) row[target] = taker.value;
    return { row, hash: this.#hash() };
  }

  #hash(): Hash | undefined {
    const parts: Hash[] = [];
    for (const { hash } of this.#reading.unique) {
      if (hash === undefined) return undefined;
      parts.push(hash);
    }
    return parts.length === 0 ? undefined : joinedHash(parts);
  }
}

/** A code for each UTF-16 unit, so that places are those of the text: an emoji has two. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** What reads rows of this header; undefined where a column that is asked for is not simply one of them. */
export function quickRows(
  names: readonly string[],
  {
    reading: { columns, blank, noAnswer },
    unique,
    delimiter,
  }: { reading: RowReading; unique: readonly string[]; delimiter: string },
): QuickRows | undefined {
  const stop = new Uint8Array(65_536);
  for (const code of [delimiter.charCodeAt(0), lf, cr, quote]) stop[code] = 1;
  const row: Record<string, unknown> = { ...blank };
  const takers = names.map(() => skippedCells(stop));
  const filled: QuickReading["filled"][number][] = [];
  for (const { target, column, kind, mayLeadOn } of columns) {
    const at = names.indexOf(column);
    const isTwice = columns.some((other) => other.target !== target && other.column === column);
    if (mayLeadOn || isTwice || target === "__proto__") return undefined;
    if (at < 0) {
      const cell = kind.read(undefined, { isText: true });
      if (!("value" in cell)) return undefined;
      row[target] = cell.value;
      continue;
    }
    const words = new WordCells(kind, stop, noAnswer);
    const isPlain = kind.isNumber !== undefined && noAnswer.size === 0 && !unique.includes(target);
    const taker = isPlain ? new NumberCells(kind.isNumber, words, stop) : words;
    takers[at] = taker;
    filled.push({ target, taker });
  }
  const named = unique.flatMap((each) => filled.find(({ target }) => target === each)?.taker ?? []);
  return new QuickRows({
    takers,
    filled,
    blank: row,
    unique: named.length === unique.length ? named : [],
    delimiter: delimiter.charCodeAt(0),
  });
}
