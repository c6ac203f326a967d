import { isPlainObject } from "../core/json.js";
import { lostNumber } from "../core/read-json.js";
import { unreadAnd } from "./bytes.js";
import {
  type Asker,
  type BadRow,
  type Block,
  bytesAtOnce,
  Cells,
  fewRows,
  moreRows,
  number,
  rowsAtOnce,
} from "./cells.js";
import { Decimal } from "./decimal.js";
import { textOf } from "./dictionary.js";
import { lostText, mostCharacters, quoted, type TableItem, tooLong } from "./format.js";
import { parsedJson, whyNone } from "./python-json.js";
import { membersTwice } from "./repeated-member.js";

const [quote, comma, colon, open, close, minus, dot] = [...'",:{}-.'].map((sign) =>
  sign.charCodeAt(0),
);
const lf = 10;
const cr = 13;
const space = 32;

/** A member that lines have, with its name as it stands there. */
interface Member {
  readonly name: Uint8Array;
  readonly cells: Cells | undefined;
}

/**
 * Reads JSONL: one object on each line; empty lines are passed over. Lines that name the members of the one before
 * them, in its order, and hold texts and numbers, are read where their bytes stand. Where the first two rows have one
 * member each and these differ, rows are `{id: value}` or `{id: {…}}`: they have the columns `key` and `value`, or
 * `key` and those of the object, as in a JSON document.
 *
 * @param chunks UTF-8 without a byte order mark.
 */
export async function* readJsonlBlocks(
  chunks: AsyncIterable<Uint8Array>,
  asker: Asker,
): AsyncGenerator<Block> {
  const reader = new JsonlReader(asker);
  for await (const chunk of chunks) {
    reader.add(chunk);
    yield* reader.blocks(false);
    if (reader.hasEnded) break;
  }
  yield* reader.blocks(true);
}

/** Collects rows that are objects in blocks. */
export class RowBlocks {
  readonly columns = new Map<string, Cells>();
  /** Columns that nobody wants. */
  readonly #unwanted = new Set<string>();
  readonly lines = new Int32Array(rowsAtOnce);
  count = 0;
  readonly #asker: Asker;
  #keys: (string | undefined)[] = [];
  #bad: BadRow[] = [];
  #hasNames = false;
  /** The cells have room for so many rows. */
  #room = fewRows;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  get isFull(): boolean {
    return this.count === rowsAtOnce;
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.#bad.length === 0;
  }

  /** The cells of a column; undefined where nobody wants them. */
  column(name: string): Cells | undefined {
    const known = this.columns.get(name);
    if (known !== undefined || this.#unwanted.has(name)) return known;
    const ask = this.#asker.column(name);
    if (ask === undefined) {
      this.#unwanted.add(name);
      return undefined;
    }
    const cells = new Cells(ask);
    cells.makeRoom(this.#room);
    this.columns.set(name, cells);
    return cells;
  }

  /** Begins a row, and the block where it is the first. */
  begin(): void {
    if (this.count === 0) for (const cells of this.columns.values()) cells.begin();
    if (this.count < this.#room) return;
    this.#room = moreRows(this.#room);
    for (const cells of this.columns.values()) cells.makeRoom(this.#room);
  }

  add(item: TableItem): void {
    if (item.kind === "bad") this.#bad.push(item);
    if (item.kind !== "row") return;
    const names = Object.keys(item.values);
    if (!this.#hasNames) this.#asker.names(names, false);
    this.#hasNames = true;
    const fault = item.faults?.find(({ column }) => this.column(column) !== undefined);
    if (fault !== undefined) {
      this.#bad.push({ line: item.line, problem: fault.problem });
      return;
    }
    this.begin();
    for (const name of names) this.column(name)?.put(this.count, item.values[name]);
    if (item.key !== undefined) this.#keys[this.count] = item.key;
    this.lines[this.count] = item.line;
    this.count += 1;
  }

  /** What has come since the last block. */
  block(): Block {
    const block = {
      count: this.count,
      lines: this.lines,
      columns: this.columns,
      keys: this.#keys,
      bad: this.#bad,
    };
    this.count = 0;
    this.#keys = [];
    this.#bad = [];
    return block;
  }
}

class JsonlReader {
  readonly #rows: RowBlocks;
  #bytes = new Uint8Array(1 << 20);
  #at = 0;
  #end = 0;
  /** Bytes since the last block. */
  #taken = 0;
  #line = 0;
  /** Whether nothing more is read: a line has no end. */
  hasEnded = false;
  /** The first rows, until it is known whether they are keyed. */
  #first: TableItem[] | undefined = [];
  #isKeyed = false;
  #members: readonly Member[] = [];
  readonly #decimal = new Decimal();

  constructor(asker: Asker) {
    this.#rows = new RowBlocks(asker);
  }

  add(chunk: Uint8Array): void {
    this.#bytes = unreadAnd(chunk, this.#bytes, { from: this.#at, to: this.#end, room: 1 });
    this.#end += chunk.length - this.#at;
    this.#at = 0;
  }

  *blocks(isEnd: boolean): Generator<Block> {
    if (isEnd) {
      this.#bytes[this.#end] = lf;
      this.#end += 1;
    }
    const bytes = this.#bytes;
    const end = bytes.subarray(0, this.#end).lastIndexOf(lf) + 1;
    while (this.#at < end && !this.hasEnded) {
      const start = this.#at;
      const next = this.#first === undefined ? this.#quick(this.#at) : -1;
      if (next >= 0) {
        this.#line += 1;
        this.#rows.lines[this.#rows.count] = this.#line;
        this.#rows.count += 1;
        this.#at = next;
      } else this.#carefully();
      this.#taken += this.#at - start;
      if (this.#rows.isFull || (this.#taken > bytesAtOnce && !this.#rows.isEmpty)) {
        this.#taken = 0;
        yield this.#rows.block();
      }
    }
    if (this.#end - this.#at > mostCharacters && !this.hasEnded) {
      this.#take({ kind: "bad", line: this.#line + 1, problem: tooLong });
      this.hasEnded = true;
    }
    if (!isEnd) return;
    this.#settle();
    if (!this.#rows.isEmpty) yield this.#rows.block();
  }

  /** Reads one line as JSON. */
  #carefully(): void {
    const to = this.#bytes.indexOf(lf, this.#at);
    const content = textOf(this.#bytes, this.#at, to);
    this.#at = to + 1;
    this.#line += 1;
    if (content.length > mostCharacters) {
      this.#take({ kind: "bad", line: this.#line, problem: tooLong });
      this.hasEnded = true;
    } else if (content.trim() !== "") this.#take(lineItem(content, this.#line));
  }

  #take(item: TableItem): void {
    if (this.#first !== undefined) {
      this.#first.push(item);
      const isKeyed = areKeyed(this.#first);
      if (isKeyed === undefined) return;
      this.#isKeyed = isKeyed;
      this.#settle();
      return;
    }
    this.#rows.add(this.#isKeyed ? keyed(item) : item);
    if (!this.#isKeyed && item.kind === "row") {
      const encoder = new TextEncoder();
      this.#members = Object.keys(item.values).map((name) => ({
        name: encoder.encode(JSON.stringify(name)),
        cells: this.#rows.column(name),
      }));
    }
  }

  /** Adds the first rows. */
  #settle(): void {
    const first = this.#first ?? [];
    this.#first = undefined;
    for (const item of first) this.#take(item);
  }

  /** Reads the line that starts here, of the members that are expected; where the next begins, -1 where it has others. */
  #quick(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start] !== open || this.#members.length === 0 || this.#isKeyed) return -1;
    const row = this.#rows.count;
    this.#rows.begin();
    let at = start + 1;
    for (let member = 0; member < this.#members.length; member++) {
      if (member > 0) {
        if (bytes[at] !== comma) return this.#forget(row);
        at += 1;
      }
      while (bytes[at] === space) at += 1;
      const { name, cells } = this.#members[member] as Member;
      for (let place = 0; place < name.length; place++) {
        if (bytes[at] !== name[place]) return this.#forget(row);
        at += 1;
      }
      while (bytes[at] === space) at += 1;
      if (bytes[at] !== colon) return this.#forget(row);
      at += 1;
      while (bytes[at] === space) at += 1;
      at = this.#value(at, row, cells);
      if (at < 0) return this.#forget(row);
      while (bytes[at] === space) at += 1;
    }
    if (bytes[at] !== close) return this.#forget(row);
    at += 1;
    if (bytes[at] === cr) at += 1;
    return bytes[at] === lf ? at + 1 : this.#forget(row);
  }

  /** Takes back what was read of a row. */
  #forget(row: number): -1 {
    for (const cells of this.#rows.columns.values()) cells.put(row, undefined);
    return -1;
  }

  /** Takes the value that begins here; where it ends, -1 where it is to be read with more care. */
  #value(at: number, row: number, cells: Cells | undefined): number {
    const bytes = this.#bytes;
    const first = bytes[at] ?? 0;
    if (first === quote) {
      if (cells === undefined) {
        let to = at + 1;
        while (stringStop[bytes[to] ?? 0] !== 1) to += 1;
        return bytes[to] === quote ? to + 1 : -1;
      }
      const { dictionary } = cells;
      const code = dictionary.codeUpTo(bytes, at + 1, stringStop);
      const { end } = dictionary;
      if (bytes[end] !== quote) return -1;
      cells.codes[row] = code;
      return end + 1;
    }
    if (first === minus || isDigit(first)) {
      const end = this.#number(at, first);
      if (end >= 0 && cells !== undefined) {
        cells.codes[row] = number;
        cells.numbers[row] = this.#decimal.value;
      }
      return end;
    }
    for (const { bytes: word, value } of literals) {
      if (word[0] !== first) continue;
      for (let place = 1; place < word.length; place++) {
        if (bytes[at + place] !== word[place]) return -1;
      }
      cells?.put(row, value);
      return at + word.length;
    }
    return -1;
  }

  /** Reads a number as JSON writes it; where it ends, -1 where it is another or one to be kept as text. */
  #number(at: number, first: number): number {
    const bytes = this.#bytes;
    const digits = first === minus ? at + 1 : at;
    const head = bytes[digits] ?? 0;
    if (!isDigit(head)) return -1;
    if (head === 48 && isDigit(bytes[digits + 1])) return -1;
    const end = this.#decimal.read(bytes, at, numberStop);
    if (end < 0 || Math.abs(this.#decimal.value) > Number.MAX_SAFE_INTEGER) return -1;
    // JSON wants a digit behind a point.
    let point = digits;
    while (isDigit(bytes[point])) point += 1;
    return bytes[point] === dot && !isDigit(bytes[point + 1]) ? -1 : end;
  }
}

const isDigit = (byte = 0): boolean => byte >= 48 && byte <= 57;

const literals = (
  [
    ["true", true],
    ["false", false],
    ["null", null],
  ] as const
).map(([word, value]) => ({ bytes: new TextEncoder().encode(word), value }));

/** What ends a text, or can't stand in one as it is. */
const stringStop = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === quote || byte === 92 || byte < space ? 1 : 0,
);

const numberStop = new Uint8Array(256);
for (const byte of [44, 125, space]) numberStop[byte] = 1;

/** The name of the only member of a row; undefined where it has none or several. */
function onlyName(item: TableItem): string | undefined {
  if (item.kind !== "row") return undefined;
  const [name, ...others] = Object.keys(item.values);
  return others.length === 0 ? name : undefined;
}

/** Whether rows are named by their only member; undefined where one row alone can't tell. */
function areKeyed([one, other]: readonly TableItem[]): boolean | undefined {
  const name = one && onlyName(one);
  if (name === undefined) return false;
  if (other === undefined) return undefined;
  const next = onlyName(other);
  return next !== undefined && next !== name;
}

/** A row of columns `key` and `value`, or `key` and those of its object. */
function keyed(item: TableItem): TableItem {
  const key = onlyName(item);
  if (item.kind !== "row") return item;
  const { line, faults: [fault] = [] } = item;
  // Of an object that is the whole row nobody knows which column it is.
  if (fault !== undefined) return { kind: "bad", line, problem: fault.problem };
  if (key === undefined) {
    return { kind: "bad", line, problem: "Expected one member, as in the first two rows" };
  }
  const value = item.values[key];
  return { ...item, key, values: isPlainObject(value) ? { key, ...value } : { key, value } };
}

/** The row that a line of JSON is. */
function lineItem(content: string, line: number): TableItem {
  let value: unknown;
  try {
    value = parsedJson(content);
  } catch {
    const problem = /(?<!["\w])-?Infinity(?!["\w])/.test(content)
      ? "Infinity is not JSON; write null where there is no number"
      : `Expected a JSON object but received ${quoted(content.trim())}`;
    return { kind: "bad", line, problem: `${problem}${whyNone(content.trim())}` };
  }
  const lost = lostNumber(content);
  if (lost !== undefined) return { kind: "bad", line, problem: lostText(lost) };
  if (!isPlainObject(value)) {
    return { kind: "bad", line, problem: `Expected a JSON object but received ${quoted(value)}` };
  }
  const twice = membersTwice(content, value);
  if (twice.length === 0) return { kind: "row", line, values: value };
  const problemOf = (name: string) =>
    `Expected each member once but ${quoted(name)} is there twice`;
  const own = twice.find(({ within }) => within === undefined);
  if (own !== undefined) return { kind: "bad", line, problem: problemOf(own.name) };
  const faults = twice.flatMap(({ name, within: column }) =>
    column === undefined ? [] : [{ column, problem: problemOf(name) }],
  );
  return { kind: "row", line, values: value, faults };
}
