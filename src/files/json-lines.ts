import { isAscii } from "node:buffer";
import { createReadStream } from "node:fs";
import { InputError } from "../core/errors.js";
import { failed, fileError } from "./file-error.js";
import { checkRegular, readRegularFile } from "./regular-file.js";

/** One line of a JSONL file: its number from 1, its value, and where its text stands. */
export interface JsonLine {
  readonly line: number;
  readonly value: unknown;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes without the line end. */
  readonly length: number;
}

/**
 * Streams the values of a JSONL file; empty lines are passed over. With `tolerateTornTail` a last
 * line that has no line end and does not parse is passed over too: its writer was killed, or is at
 * work. `hint` is said of a bad line where the reader knows better than to mend it. `from` is the
 * byte to begin at; lines are then counted from there. `onTorn` is told of a torn line.
 *
 * @throws InputError with file and line where a line is not JSON or not UTF-8.
 */
export async function* readJsonLines(
  path: string,
  options: JsonLinesOptions = {},
): AsyncGenerator<JsonLine> {
  for await (const lines of readJsonBatches(path, options)) yield* lines;
}

/** The same, those together that were read together: of many lines each is waited for no longer. */
export async function* readJsonBatches(
  path: string,
  { tolerateTornTail = false, hint, from = 0, onTorn = () => {} }: JsonLinesOptions = {},
): AsyncGenerator<readonly JsonLine[]> {
  for await (const lines of readLines(path, from)) {
    const values: JsonLine[] = [];
    try {
      for (const line of valuesOf(lines, { path, tolerateTornTail, hint, onTorn }))
        values.push(line);
    } finally {
      // What stands before a bad line is told before it.
      if (values.length > 0) yield values;
    }
  }
}

/** How the lines of a JSONL file are read; `readJsonLines` says what each means. */
export interface JsonLinesOptions {
  readonly tolerateTornTail?: boolean;
  readonly hint?: string;
  readonly from?: number;
  readonly onTorn?: (text: string) => void;
}

/**
 * The values of a JSONL file as `readJsonLines` gives them, read at once: of many small files each takes a
 * quarter of the time.
 */
export async function readJsonLinesWhole(
  path: string,
  { tolerateTornTail = false }: { readonly tolerateTornTail?: boolean } = {},
): Promise<readonly JsonLine[]> {
  const bytes = await readRegularFile(path, { mostBytes: Number.POSITIVE_INFINITY }).catch(
    failed("read", path),
  );
  const lines: Line[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, offset);
    const end = found < 0 ? bytes.length : found;
    lines.push({
      line: lines.length + 1,
      offset,
      bytes: bytes.subarray(offset, end),
      isEnded: found >= 0,
    });
    offset = end + 1;
  }
  return [...valuesOf(lines, { path, tolerateTornTail, hint: undefined, onTorn: () => {} })];
}

function* valuesOf(
  lines: readonly Line[],
  {
    path,
    tolerateTornTail,
    hint,
    onTorn,
  }: {
    readonly path: string;
    readonly tolerateTornTail: boolean;
    readonly hint: string | undefined;
    readonly onTorn: (text: string) => void;
  },
): Generator<JsonLine> {
  for (const { line, offset, bytes, isEnded } of lines) {
    let value: unknown;
    try {
      const text = textOf(bytes, line);
      if (text.trim() === "") continue;
      value = JSON.parse(text);
    } catch (error) {
      if (tolerateTornTail && !isEnded) return onTorn(bytes.toString("utf8"));
      throw badLine(error, { bytes, path, line, hint });
    }
    yield { line, value, offset, length: bytes.length };
  }
}

interface Line {
  readonly line: number;
  readonly offset: number;
  readonly bytes: Buffer;
  readonly isEnded: boolean;
}

/** The lines of a file, those together that were read together: to wait for each costs more than to parse it. */
async function* readLines(path: string, from: number): AsyncGenerator<readonly Line[]> {
  let pieces: Buffer[] = [];
  let line = 1;
  let offset = from;
  const takeLine = (last: Buffer, isEnded: boolean): Line => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    const taken = { line, offset, bytes, isEnded };
    line++;
    offset += bytes.length + 1;
    return taken;
  };
  try {
    await checkRegular(path);
    for await (const chunk of createReadStream(path, { start: from, highWaterMark: 262_144 })) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        lines.push(takeLine(chunk.subarray(start, end), true));
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start));
      yield lines;
    }
  } catch (error) {
    throw fileError(error, "read", path);
  }
  if (pieces.length > 0) yield [takeLine(Buffer.alloc(0), false)];
}

const lineFeed = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer, line: number): string {
  const text = isAscii(bytes) ? bytes.toString("latin1") : utf8.decode(bytes);
  // Editors on Windows put a byte order mark before the first line.
  return line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function badLine(
  error: unknown,
  {
    bytes,
    path,
    line,
    hint,
  }: { bytes: Buffer; path: string; line: number; hint: string | undefined },
): InputError {
  const shown = bytes.subarray(0, 60).toString("utf8").trim();
  const received = bytes.length > 60 ? `${shown}…` : shown;
  const isEncoding = error instanceof TypeError;
  const expected = isEncoding ? "UTF-8 text" : "one JSON value";
  return new InputError(
    `Expected ${expected} for a line but received ${received} (in ${path}, line ${line})`,
    { hint: hint ?? hintFor(isEncoding, received), cause: error },
  );
}

function hintFor(isEncoding: boolean, received: string): string {
  if (isEncoding) return "Save the file as UTF-8.";
  if (/\b(NaN|Infinity)\b/.test(received)) {
    return "JSON has no NaN and no Infinity: leave the member out or write null.";
  }
  return "Each line holds one whole JSON value, such as an object in braces.";
}
