import { unreadAnd } from "./bytes.js";
import { plainText } from "./cell-table.js";
import {
  type Asker,
  type BadRow,
  type Block,
  bytesAtOnce,
  Cells,
  CellTaker,
  fewRows,
  moreRows,
  rowsAtOnce,
} from "./cells.js";
import { textOf } from "./dictionary.js";
import { mostCharacters, tooLong } from "./format.js";

const quote = 34;
const lf = 10;
const cr = 13;
const semicolon = 59;

const badQuotes = 'Expected quotation marks around a whole field, doubled ("") within it';
const unclosed = "Expected a closing quotation mark but the file ended";

/** One record, taken apart with care. */
interface TakenApart {
  readonly fields: readonly string[];
  readonly next: number;
  /** Line ends in it, its own included. */
  readonly breaks: number;
  /** What is wrong with it, and on which of its lines; nothing is read after that. */
  readonly problem?: { readonly text: string; readonly line: number };
}

/**
 * Reads CSV (RFC 4180) with a header. Commas, tabs or semicolons separate, whichever the header has most of, as
 * spreadsheets write them in many countries; or what a first line `sep=;` says. Lines end as the first one does: with
 * LF, with or without CR, mixed, or with CR alone. Empty lines are passed over; a field may hold line ends between
 * quotation marks, and one that begins with none may hold them as they are. `CellTaker` stores plain digits as the
 * number they are, and of any other cell the place of its text in the column's dictionary: a column's store reads
 * each such text once (1e-3, nothing).
 *
 * @param chunks UTF-8 without a byte order mark.
 */
export async function* readCsvBlocks(
  chunks: AsyncIterable<Uint8Array>,
  asker: Asker,
): AsyncGenerator<Block> {
  const reader = new CsvReader(asker);
  for await (const chunk of chunks) {
    reader.add(chunk);
    yield* reader.blocks(false);
    if (reader.hasEnded) break;
  }
  yield* reader.blocks(true);
}

class CsvReader {
  readonly #asker: Asker;
  #bytes = new Uint8Array(1 << 20);
  #at = 0;
  #end = 0;
  /** As long as the rest must be before another look is worth it: a record may be very long. */
  #enough = 0;
  #line = 1;
  /** Whether nothing more is read: a record is no record, or has no end. */
  hasEnded = false;
  #delimiter = 44;
  /** Whether CR alone ends a line. */
  #isCr = false;
  #names: readonly string[] | undefined;
  #takers: readonly (CellTaker | undefined)[] = [];
  readonly #columns = new Map<string, Cells>();
  readonly #lines = new Int32Array(rowsAtOnce);
  #count = 0;
  /** The cells have room for so many rows. */
  #room = fewRows;
  /** Bytes of the rows of this block. */
  #taken = 0;
  #bad: BadRow[] = [];
  /** Bytes that end a cell. */
  readonly #stop = new Uint8Array(256);
  /** Line ends within quoted cells of the record that is read. */
  #breaks = 0;
  #isFirstBlock = true;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  add(chunk: Uint8Array): void {
    const unread = { from: this.#at, to: this.#end, room: 2 };
    this.#bytes = unreadAnd(chunk, this.#bytes, unread);
    this.#end += chunk.length - this.#at;
    this.#at = 0;
    // A quoted cell that goes on ends here, and is known by it.
    this.#bytes[this.#end] = quote;
    this.#bytes[this.#end + 1] = lf;
  }

  /** The blocks that are full; at the end the last one, too. */
  *blocks(isEnd: boolean): Generator<Block> {
    if (isEnd) {
      // The last row may lack its line end.
      this.#bytes[this.#end] = lf;
      this.#bytes[this.#end + 1] = quote;
    }
    if (!this.hasEnded && (isEnd || this.#end - this.#at >= this.#enough)) {
      if (this.#names === undefined) this.#header(isEnd);
      if (this.#names !== undefined) {
        const end = isEnd ? this.#end : this.#lastLineEnd() + 1;
        while (this.#at < end && !this.hasEnded) {
          const next = this.#row(this.#at, end, isEnd);
          if (next < 0) break;
          this.#taken += next - this.#at;
          this.#at = next;
          if (this.#count === rowsAtOnce || this.#taken > bytesAtOnce) yield this.#block();
        }
      }
      const rest = this.#end - this.#at;
      this.#enough = rest < 4096 ? 0 : 2 * rest;
      if (rest > mostCharacters && !this.hasEnded)
        this.#stopAt({ line: this.#line, problem: tooLong });
    }
    if (isEnd && (this.#count > 0 || this.#bad.length > 0)) yield this.#block();
  }

  #lastLineEnd(): number {
    const end = this.#end;
    const last = this.#bytes.subarray(0, end).lastIndexOf(lf);
    // Whether LF follows a CR at the end, the next chunk tells.
    return this.#isCr ? Math.max(last, this.#bytes.subarray(0, end - 1).lastIndexOf(cr)) : last;
  }

  #stopAt(bad: BadRow): void {
    this.#bad.push(bad);
    this.hasEnded = true;
  }

  #block(): Block {
    // We write commas, and no text that a spreadsheet would take for a formula.
    const isOther =
      this.#delimiter !== 44 || this.#takers.some((taker) => taker?.isUnguarded === true);
    if (this.#isFirstBlock && isOther) {
      for (const taker of this.#takers) taker?.keepQuotes();
    }
    this.#isFirstBlock = false;
    const block = {
      count: this.#count,
      lines: this.#lines,
      columns: this.#columns,
      bad: this.#bad,
    };
    this.#count = 0;
    this.#taken = 0;
    this.#bad = [];
    return block;
  }

  /** Reads the header, once all of it is there. */
  #header(isEnd: boolean): void {
    for (;;) {
      const start = this.#at;
      const first = firstLine(this.#bytes.subarray(start, this.#end));
      if (first === undefined && !isEnd) return;
      const line = first?.text ?? textOf(this.#bytes, start, this.#end);
      this.#isCr = first?.isCr === true;
      const said = start === 0 && this.#line === 1 ? /^"?sep=(.)"?$/i.exec(line)?.[1] : undefined;
      if (said === undefined && this.#stop[lf] !== 1)
        this.#delimiter = delimiterOf(line).charCodeAt(0);
      else if (said !== undefined) this.#delimiter = said.charCodeAt(0);
      for (const code of [this.#delimiter, lf, cr]) this.#stop[code] = 1;
      const record = this.#record(start, isEnd);
      if (record === undefined) return;
      const { fields, problem } = record;
      if (problem !== undefined) {
        this.#stopAt({ line: this.#line + problem.line, problem: problem.text });
        return;
      }
      this.#line += record.breaks;
      this.#at = record.next;
      if (said === undefined && fields.length > 0) {
        this.#begin(fields.map((name, at) => plainText(name.trim()) || `column ${at + 1}`));
        return;
      }
      if (this.#at >= this.#end) return;
    }
  }

  #begin(names: readonly string[]): void {
    this.#names = names;
    this.#asker.names(names, true);
    const seen = new Set<string>();
    this.#takers = names.map((name) => {
      // A second column of a name: who wants it has refused it.
      const ask = seen.has(name) ? undefined : this.#asker.column(name);
      seen.add(name);
      if (ask === undefined) return undefined;
      const cells = new Cells(ask);
      this.#columns.set(name, cells);
      return new CellTaker(cells, this.#delimiter === semicolon ? ask.points : undefined);
    });
  }

  /** Reads the row that starts here; where the next one does, -1 where it has not come whole. */
  #row(start: number, end: number, isEnd: boolean): number {
    const bytes = this.#bytes;
    const first = bytes[start];
    // An empty line is no row.
    if (first === lf || first === cr) {
      if (first === cr && bytes[start + 1] === lf) {
        if (start + 1 >= end && !isEnd) return -1;
        this.#line += 1;
        return Math.min(start + 2, end);
      }
      if (first === lf || this.#isCr) {
        this.#line += 1;
        return start + 1;
      }
    }
    const row = this.#count;
    if (row === 0) for (const cells of this.#columns.values()) cells.begin();
    if (row === this.#room) {
      this.#room = moreRows(row);
      for (const cells of this.#columns.values()) cells.makeRoom(this.#room);
    }
    const takers = this.#takers;
    const stop = this.#stop;
    const last = takers.length - 1;
    let at = start;
    this.#breaks = 0;
    for (let column = 0; column <= last; column++) {
      const taker = takers[column];
      if (bytes[at] === quote) {
        at = this.#quoted(at, row, taker);
        if (at < 0) return this.#carefully(start, isEnd);
      } else if (taker !== undefined) at = taker.take(bytes, at, stop, row);
      else while (stop[bytes[at] ?? 0] !== 1) at += 1;
      if (column < last) {
        if (bytes[at] !== this.#delimiter) return this.#carefully(start, isEnd);
        at += 1;
      }
    }
    let next = at + 1;
    if (bytes[at] === cr) {
      if (bytes[next] === lf) next += 1;
      else if (!this.#isCr) return this.#carefully(start, isEnd);
    } else if (bytes[at] !== lf) return this.#carefully(start, isEnd);
    if (next > end && !(isEnd && at === end)) return this.#carefully(start, isEnd);
    this.#lines[row] = this.#line;
    this.#line += 1 + this.#breaks;
    this.#count += 1;
    return Math.min(next, this.#end);
  }

  /** Takes a quoted cell; where it ends, -1 where it is to be read with more care. */
  #quoted(at: number, row: number, taker: CellTaker | undefined): number {
    const bytes = this.#bytes;
    let close: number;
    if (taker !== undefined) {
      close = taker.take(bytes, at + 1, quoteStop, row);
      this.#breaks += taker.breaks;
    } else {
      close = at + 1;
      for (; bytes[close] !== quote; close++) if (bytes[close] === lf) this.#breaks += 1;
    }
    if (
      close >= this.#end ||
      bytes[close + 1] === quote ||
      this.#stop[bytes[close + 1] ?? 0] !== 1
    ) {
      return -1;
    }
    return close + 1;
  }

  /** Reads a row that is not plain; as `#row`. */
  #carefully(start: number, isEnd: boolean): number {
    const record = this.#record(start, isEnd);
    if (record === undefined) return -1;
    const { fields, problem } = record;
    const line = this.#line;
    if (problem !== undefined) {
      this.#stopAt({ line: line + problem.line, problem: problem.text });
      return record.next;
    }
    this.#line += record.breaks;
    const expected = this.#takers.length;
    if (fields.length !== expected) {
      this.#bad.push({
        line,
        problem: `Expected ${expected} fields, as in the header, but received ${fields.length}`,
      });
      return record.next;
    }
    for (const [at, taker] of this.#takers.entries()) taker?.put(this.#count, fields[at] ?? "");
    this.#lines[this.#count] = line;
    this.#count += 1;
    return record.next;
  }

  /** Takes apart the record that starts here, without fields where its line is empty; undefined if it goes on. */
  #record(start: number, isEnd: boolean): TakenApart | undefined {
    const bytes = this.#bytes;
    const end = this.#end;
    const fields: string[] = [];
    let breaks = 0;
    let at = start;
    for (;;) {
      if (at < end && bytes[at] === quote) {
        let close = bytes.indexOf(quote, at + 1);
        while (close < end && bytes[close + 1] === quote && close + 1 < end) {
          close = bytes.indexOf(quote, close + 2);
        }
        if (close < 0 || close >= end || (close + 1 === end && !isEnd)) {
          return isEnd
            ? { fields, next: end, breaks, problem: { text: unclosed, line: breaks } }
            : undefined;
        }
        const inner = textOf(bytes, at + 1, close);
        fields.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
        for (let each = at; each < close; each++) if (bytes[each] === lf) breaks += 1;
        at = close + 1;
        if (at < end && this.#stop[bytes[at] ?? 0] !== 1) {
          return { fields, next: end, breaks, problem: { text: badQuotes, line: breaks } };
        }
      } else {
        const from = at;
        while (at < end && (this.#stop[bytes[at] ?? 0] !== 1 || this.#isContent(at))) at += 1;
        fields.push(textOf(bytes, from, at));
      }
      // Whether LF follows this CR, the next chunk tells.
      const isOpen = at >= end || (at + 1 === end && bytes[at] === cr);
      if (isOpen && !isEnd) return undefined;
      if (at < end && bytes[at] === this.#delimiter) {
        at += 1;
        continue;
      }
      const isTwo = at + 1 < end && bytes[at] === cr && bytes[at + 1] === lf;
      return {
        fields: at === start ? [] : fields,
        next: Math.min(end, at + (isTwo ? 2 : 1)),
        breaks: breaks + 1,
      };
    }
  }

  /** Whether a CR is one of a text: it stands alone where lines end otherwise. */
  #isContent(at: number): boolean {
    return (
      this.#bytes[at] === cr && !this.#isCr && at + 1 < this.#end && this.#bytes[at + 1] !== lf
    );
  }
}

const quoteStop = new Uint8Array(256);
quoteStop[quote] = 1;

/** The text up to the first line end outside quotation marks; undefined where none is there. */
function firstLine(
  bytes: Uint8Array,
): { readonly text: string; readonly isCr: boolean } | undefined {
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isQuoted = !isQuoted;
    if (isQuoted || (byte !== lf && byte !== cr)) continue;
    if (byte === cr && at + 1 === bytes.length) return undefined;
    return { text: textOf(bytes, 0, at), isCr: byte === cr && bytes[at + 1] !== lf };
  }
  return undefined;
}

/** Finds the separator most frequent in the header outside quotation marks; a comma where it has none. */
function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => bare.split(delimiter).length;
  return [",", "\t", ";"].reduce((most, each) => (count(each) > count(most) ? each : most));
}
