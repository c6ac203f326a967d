import type { AsyncBuffer } from "hyparquet";
import { InputError } from "../core/errors.js";
import { formatByEnding, type TableFormat } from "./format.js";

/** The bytes of a table, from a file, a stream or memory. */
export interface TableBytes {
  /** For messages. */
  readonly name: string;
  /** Default: by the first bytes. */
  readonly format?: TableFormat | undefined;
  /** The bytes from the start. */
  open(): AsyncIterable<Uint8Array>;
  /** Any part of them, for Parquet, whose index stands at the end; without it all is held. */
  parts?(): Promise<AsyncBuffer>;
  /** Unpacks gzip of several members, too, which a browser's own refuses. Default: the browser's. */
  gunzip?(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Whether `open` gives the bytes only once, as a pipe does. */
  readonly isOnce?: boolean;
}

/**
 * A table in memory, such as a file that was dropped on a page.
 *
 * @example
 * tableRows({ source: tableOf("scores.csv", "id,score\n1,0.5\n"), columns: { id: text, score } })
 */
export function tableOf(name: string, content: string | Uint8Array): TableBytes {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    format: formatByEnding(name),
    async *open() {
      yield bytes;
    },
  };
}

/** Bytes of a file that can only be read whole are held at most so many. */
export const mostHeld = 1_000_000_000;

/**
 * All bytes as one.
 *
 * @throws InputError where there are more than can be held; `hint` says how to do with less.
 */
export async function wholeBytes(
  chunks: AsyncIterable<Uint8Array>,
  { name, hint }: { readonly name: string; readonly hint: string },
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of chunks) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostHeld) throw tooLarge(name, hint);
  }
  return joined(pieces);
}

export const tooLarge = (name: string, hint: string): InputError =>
  new InputError(`Expected at most ${mostHeld / 1e9} GB, unpacked, but ${name} has more`, { hint });

/** Pieces of bytes as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * The bytes that are still to be read with a chunk behind them, at the front of the buffer, or of a larger one
 * where it is too small.
 *
 * @param room how many bytes must fit in behind the chunk.
 */
export function unreadAnd(
  chunk: Uint8Array,
  bytes: Uint8Array<ArrayBuffer>,
  { from, to, room }: { readonly from: number; readonly to: number; readonly room: number },
): Uint8Array<ArrayBuffer> {
  const rest = to - from;
  const needed = rest + chunk.length + room;
  const next = needed > bytes.length ? new Uint8Array(2 * needed) : bytes;
  if (next === bytes) bytes.copyWithin(0, from, to);
  else next.set(bytes.subarray(from, to));
  next.set(chunk, rest);
  return next;
}
