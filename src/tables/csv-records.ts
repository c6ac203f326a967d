import { AsciiText, type TextPiece } from "./ascii-text.js";
import { mostCharacters, type QuickItem, tooLong } from "./format.js";
import type { QuickRows } from "./quick-rows.js";

/** One record of CSV, or what is wrong with it; nothing is read after that. */
export type CsvRecord =
  | QuickItem
  | { readonly kind: "fields"; readonly line: number; readonly fields: readonly string[] }
  | { readonly kind: "bad"; readonly line: number; readonly problem: string };

/** What is no longer is looked at again with every piece. */
const shortRecord = 4096;

const badQuotes = 'Expected quotation marks around a whole field, doubled ("") within it';
const unclosed = "Expected a closing quotation mark but the file ended";

/**
 * Takes the text of a CSV file piece by piece and gives its records (RFC 4180). Lines end with CR, LF
 * or both, mixed as in files that were put together; empty lines are passed over; a field may hold
 * line ends between quotation marks.
 */
export class CsvRecords {
  readonly #delimiter: number;
  /** Text read so far that is not yet a whole record. */
  #text = "";
  /** As long as the text must be before another look is worth it: a record may be very long. */
  #enough = 0;
  #line = 1;
  #hasEnded = false;
  /** Reader tried first on each record, where it is known. */
  quick: QuickRows | undefined;

  constructor({ delimiter }: { readonly delimiter: string }) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The records that end in this piece. */
  *take(piece: TextPiece): Generator<CsvRecord> {
    if (piece instanceof AsciiText) return yield* this.#takeAscii(piece);
    this.#text += piece;
    if (this.#text.length >= this.#enough) yield* this.#read(false);
  }

  /** Reads records where their bytes stand, but for one that began before, and from the first that needs more care on. */
  *#takeAscii(piece: AsciiText): Generator<CsvRecord> {
    let start = 0;
    if (this.#text !== "") {
      start = piece.codes.indexOf(lf) + 1;
      if (start > 0) yield* this.take(piece.slice(0, start));
    }
    while (this.#text === "" && !this.#hasEnded) {
      const quick = this.quick?.read(piece, start, this.#line);
      if (quick === undefined || quick.count === 0) break;
      yield quick.item;
      start = quick.next;
      this.#line += quick.count;
    }
    yield* this.take(piece.slice(start));
  }

  /** The records that only the end of the text ends. */
  *end(): Generator<CsvRecord> {
    yield* this.#read(true);
  }

  *#read(isEnd: boolean): Generator<CsvRecord> {
    const text = this.#text;
    let start = 0;
    while (start < text.length && !this.#hasEnded) {
      const quick = this.quick?.read(text, start, this.#line);
      if (quick !== undefined && quick.count > 0) {
        yield quick.item;
        start = quick.next;
        this.#line += quick.count;
        continue;
      }
      const found = this.#record(start, isEnd);
      if (found === undefined) break;
      start = found.next;
      const { record } = found;
      if (record.kind !== "fields" || record.fields.length > 0) yield record;
      if (record.kind === "bad") this.#hasEnded = true;
      this.#line += found.breaks;
    }
    this.#text = this.#hasEnded ? "" : text.slice(start);
    this.#enough = this.#text.length < shortRecord ? 0 : 2 * this.#text.length;
    if (this.#text.length > mostCharacters) {
      this.#hasEnded = true;
      this.#text = "";
      yield { kind: "bad", line: this.#line, problem: tooLong };
    }
  }

  /** The record that starts here, without fields where its line is empty; undefined if it goes on. */
  #record(
    start: number,
    isEnd: boolean,
  ): { record: Exclude<CsvRecord, QuickItem>; next: number; breaks: number } | undefined {
    const text = this.#text;
    const delimiter = this.#delimiter;
    const fields: string[] = [];
    const line = this.#line;
    let breaks = 0;
    let at = start;
    for (;;) {
      if (text.charCodeAt(at) === quote) {
        const close = closingQuote(text, at, isEnd);
        if (close === undefined) return isEnd ? badRecord(unclosed, line + breaks) : undefined;
        const inner = text.slice(at + 1, close);
        fields.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
        breaks += lineBreaks(inner);
        at = close + 1;
        if (at < text.length && !this.#endsField(text.charCodeAt(at))) {
          return badRecord(badQuotes, line + breaks);
        }
      } else {
        const from = at;
        for (; at < text.length; at++) {
          const unit = text.charCodeAt(at);
          if (unit === delimiter || unit === lf || unit === cr) break;
          if (unit === quote) return badRecord(badQuotes, line + breaks);
        }
        fields.push(text.slice(from, at));
      }
      // Whether another LF follows this CR, the next piece tells.
      const isOpen = at >= text.length || (at + 1 === text.length && text.charCodeAt(at) === cr);
      if (isOpen && !isEnd) return undefined;
      if (text.charCodeAt(at) === delimiter) {
        at += 1;
        continue;
      }
      return {
        record: { kind: "fields", line, fields: at === start ? [] : fields },
        next: at + (text.startsWith("\r\n", at) ? 2 : 1),
        breaks: breaks + 1,
      };
    }
  }

  #endsField(unit: number): boolean {
    return unit === this.#delimiter || unit === lf || unit === cr;
  }
}

const quote = 34;
const lf = 10;
const cr = 13;

/** Nothing is read after it. */
const badRecord = (problem: string, line: number) =>
  ({ record: { kind: "bad", line, problem }, next: 0, breaks: 0 }) as const;

/** Where the quotation mark stands that closes the one at `open`; undefined if it has not come. */
function closingQuote(text: string, open: number, isEnd: boolean): number | undefined {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 || (at + 1 === text.length && !isEnd) ? undefined : at;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
